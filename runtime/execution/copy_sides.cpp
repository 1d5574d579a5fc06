// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/copy_sides.h"

namespace heddle {

CopySides copy_sides(abi::CheckedCall call, const abi::CheckOperand* given) {
  using abi::CheckedCall;
  const auto value = [&](unsigned i) { return static_cast<WideInteger>(given[i].value); };
  CopySide to{}, from{};
  switch (call) {
  case CheckedCall::copy: // to, from, count, size
    to = {given[0], true, 0, value(2) * value(3)};
    from = {given[1], false, 0, to.line};
    break;
  case CheckedCall::gather: // to, from, count, stride, size
  case CheckedCall::scatter:
    to = {given[0], true, 0, value(4), value(2), 1, value(4)};
    from = {given[1], false, 0, value(4), value(2), 1, value(4)};
    (call == CheckedCall::gather ? from : to).line_step *= value(3);
    break;
  case CheckedCall::copy_2d: { // to, its offset, from, its offset, size, elements, lines, steps
    const auto size = value(4);
    to = {given[0], true, value(1) * size, value(5) * size, value(6), 1, value(8) * size};
    from = {given[2], false, value(3) * size, value(5) * size, value(6), 1, value(7) * size};
    break;
  }
  default: { // ... lines, planes, steps of lines and planes in the source, in the destination
    const auto size = value(4);
    to = {given[0], true,     value(1) * size,  value(5) * size,
          value(6), value(7), value(10) * size, value(11) * size};
    from = {given[2], false,    value(3) * size, value(5) * size,
            value(6), value(7), value(8) * size, value(9) * size};
    break;
  }
  }
  return {to, from};
}

} // namespace heddle
