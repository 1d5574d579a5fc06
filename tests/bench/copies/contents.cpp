// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/copies/contents.h"

#include <cstring>
#include <stdexcept>

namespace heddle::bench {
namespace {

// Bytes that differ from adjacent ones, and from those at the same offset in another tile.
Bytes scattered(std::size_t bytes, unsigned seed) {
  Bytes result(bytes);
  for (auto& byte : result) {
    seed = seed * 1664525 + 1013904223;
    byte = static_cast<unsigned char>(seed >> 24);
  }
  return result;
}

void compare(const CopyShape& shape, const char* where, const Bytes& expected,
             const unsigned char* found) {
  if (std::memcmp(expected.data(), found, expected.size()) == 0)
    return;
  std::size_t at = 0;
  while (expected[at] == found[at])
    ++at;
  throw std::runtime_error(shape.name() + ": byte " + std::to_string(at) + " of " + where +
                           " memory is " + std::to_string(found[at]) + " and not " +
                           std::to_string(expected[at]));
}

} // namespace

Bytes initial_global(const CopyShape& shape) { return scattered(shape.span, 1); }
Bytes initial_local() { return scattered(kLocalBytes, 2); }

void check_contents(const CopyShape& shape, const unsigned char* global,
                    const unsigned char* local) {
  auto in_global = initial_global(shape), in_local = initial_local();
  const auto plane_lines = shape.lines / shape.planes();
  for (std::size_t tile = 0; tile < shape.tiles(); ++tile)
    for (std::size_t line = 0; line < shape.lines; ++line) {
      auto* far = &in_global[tile * shape.tile_step() + line / plane_lines * shape.plane_step +
                             line % plane_lines * shape.step];
      auto* packed = &in_local[line * shape.bytes];
      std::memcpy(shape.to_local ? packed : far, shape.to_local ? far : packed, shape.bytes);
    }
  compare(shape, "global", in_global, global);
  compare(shape, "local", in_local, local);
}

} // namespace heddle::bench
