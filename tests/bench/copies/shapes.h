// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copies that copy_bench measures.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::bench {

// A tile: `lines` lines of `bytes` bytes, packed in local memory; in global memory they have a
// pitch of `step` bytes, and the tiles are spread evenly over `span` bytes.
struct CopyShape {
  enum class Call { contiguous, strided, lines, planes } call;
  std::size_t element, bytes, lines, step, span;
  bool to_local;
  // For lines in planes: the plane pitch in global memory.
  std::size_t plane_lines = 0, plane_step = 0;

  std::size_t planes() const { return plane_lines == 0 ? 1 : lines / plane_lines; }
  std::size_t tile_bytes() const { return bytes * lines; }
  std::size_t reach() const {
    if (plane_lines != 0)
      return (planes() - 1) * plane_step + (plane_lines - 1) * step + bytes;
    return (lines - 1) * step + bytes;
  }
  std::size_t tiles() const { return span / ((reach() + 63) / 64 * 64); }
  std::size_t tile_step() const { return span / tiles() / 64 * 64; }
  std::string name() const {
    std::string text = to_local ? "to local, " : "to global, ";
    const auto size = [](std::size_t value) {
      return value >= 1024 && value % 1024 == 0 ? std::to_string(value / 1024) + " KiB"
                                                : std::to_string(value) + " B";
    };
    switch (call) {
    case Call::contiguous:
      text += size(bytes);
      break;
    case Call::strided:
      text += size(element) + ", stride " + std::to_string(step / element);
      break;
    case Call::lines:
      text += std::to_string(lines) + " lines of " + size(bytes);
      break;
    case Call::planes:
      text += std::to_string(planes()) + " planes of " + std::to_string(plane_lines) +
              " lines of " + size(bytes);
      break;
    }
    return text + (span > (std::size_t{8} << 20) ? ", from memory" : "");
  }
};

inline std::vector<CopyShape> copy_shapes() {
  using enum CopyShape::Call;
  constexpr std::size_t kCached = 512 << 10, kMemory = 96 << 20;
  std::vector<CopyShape> shapes;
  for (const bool in : {true, false}) {
    for (const std::size_t bytes : {256, 4 << 10, 32 << 10})
      shapes.push_back({contiguous, 4, bytes, 1, bytes, kCached, in});
    shapes.push_back({contiguous, 4, 32 << 10, 1, 32 << 10, kMemory, in});
    for (const std::size_t element : {1, 2, 4, 8, 16})
      for (const std::size_t stride : {2, 3, 4, 7, 32})
        shapes.push_back({strided, element, element, 1024, element * stride, kCached, in});
    shapes.push_back({strided, 4, 4, 4096, 16, kMemory, in});
    for (const std::size_t bytes : {12, 16, 40, 64, 72, 136, 512, 1024})
      shapes.push_back({lines, 4, bytes, bytes < 512 ? 200u : 8u, 1024 + 128, kCached, in});
    shapes.push_back({lines, 3, 96, 200, 1024 + 128, kCached, in}); // three-byte elements
    shapes.push_back({lines, 4, 512, 32, 8192, kMemory, in});
    shapes.push_back({planes, 4, 40, 400, 256, kCached, in, 20, 256 * 64});
  }
  return shapes;
}

// The time of `rounds` iterations over all tiles; negative if there is no code for the shape.
double seconds_by_hand(const CopyShape& shape, unsigned char* global, unsigned char* local,
                       std::size_t rounds);

} // namespace heddle::bench
