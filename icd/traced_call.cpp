// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/traced_call.h"

namespace heddle::icd {

void record_call(const trace::Call& call, std::uint64_t begin, const std::uint64_t* values,
                 unsigned count, cl_int result) {
  const auto at = [&](unsigned i) { return i < count ? values[i] : 0; };
  static_assert(trace::kMaxValues == 8);
  trace::add(trace::Kind::call, begin, trace::call_time(), {},
             {at(0), at(1), at(2), at(3), at(4), at(5), at(6), trace::number_of(&call)}, result);
}

} // namespace heddle::icd
