// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same copies in C++ for one tile: constant sizes and strides, loops that the compiler
// vectorizes, memcpy for lines. Compiled for this CPU.
#include "tests/bench/copies/shapes.h"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

namespace heddle::bench {
namespace {

using Byte = unsigned char;
using Move = void (*)(Byte* global, Byte* local);

struct Sixteen {
  std::uint64_t low, high;
};

template <class T, std::size_t Count, std::size_t Stride>
void gather(Byte* __restrict global, Byte* __restrict local) {
  const auto* from = reinterpret_cast<const T*>(global);
  auto* to = reinterpret_cast<T*>(local);
  for (std::size_t i = 0; i < Count; ++i)
    to[i] = from[i * Stride];
}
template <class T, std::size_t Count, std::size_t Stride>
void scatter(Byte* __restrict global, Byte* __restrict local) {
  auto* to = reinterpret_cast<T*>(global);
  const auto* from = reinterpret_cast<const T*>(local);
  for (std::size_t i = 0; i < Count; ++i)
    to[i * Stride] = from[i];
}
template <std::size_t Bytes, std::size_t Lines, std::size_t Step>
void lines_in(Byte* __restrict global, Byte* __restrict local) {
  for (std::size_t i = 0; i < Lines; ++i)
    std::memcpy(local + i * Bytes, global + i * Step, Bytes);
}
template <std::size_t Bytes, std::size_t Lines, std::size_t Step>
void lines_out(Byte* __restrict global, Byte* __restrict local) {
  for (std::size_t i = 0; i < Lines; ++i)
    std::memcpy(global + i * Step, local + i * Bytes, Bytes);
}
template <std::size_t Bytes, std::size_t Lines, std::size_t Step, std::size_t Planes,
          std::size_t PlaneStep>
void planes_in(Byte* __restrict global, Byte* __restrict local) {
  for (std::size_t p = 0; p < Planes; ++p)
    lines_in<Bytes, Lines, Step>(global + p * PlaneStep, local + p * Lines * Bytes);
}
template <std::size_t Bytes, std::size_t Lines, std::size_t Step, std::size_t Planes,
          std::size_t PlaneStep>
void planes_out(Byte* __restrict global, Byte* __restrict local) {
  for (std::size_t p = 0; p < Planes; ++p)
    lines_out<Bytes, Lines, Step>(global + p * PlaneStep, local + p * Lines * Bytes);
}

template <class T, std::size_t Count>
Move strided(const CopyShape& shape) {
  switch (shape.step / sizeof(T)) {
  case 2:
    return shape.to_local ? gather<T, Count, 2> : scatter<T, Count, 2>;
  case 3:
    return shape.to_local ? gather<T, Count, 3> : scatter<T, Count, 3>;
  case 4:
    return shape.to_local ? gather<T, Count, 4> : scatter<T, Count, 4>;
  case 7:
    return shape.to_local ? gather<T, Count, 7> : scatter<T, Count, 7>;
  case 32:
    return shape.to_local ? gather<T, Count, 32> : scatter<T, Count, 32>;
  default:
    return nullptr;
  }
}

template <std::size_t Bytes, std::size_t Lines, std::size_t Step>
Move lines(const CopyShape& shape) {
  if (shape.bytes != Bytes || shape.lines != Lines || shape.step != Step)
    return nullptr;
  return shape.to_local ? lines_in<Bytes, Lines, Step> : lines_out<Bytes, Lines, Step>;
}

Move find(const CopyShape& shape) {
  using enum CopyShape::Call;
  switch (shape.call) {
  case contiguous:
    return nullptr;
  case strided:
    switch (shape.element) {
    case 1:
      return bench::strided<std::uint8_t, 1024>(shape);
    case 2:
      return bench::strided<std::uint16_t, 1024>(shape);
    case 4:
      return shape.lines == 4096 ? bench::strided<std::uint32_t, 4096>(shape)
                                 : bench::strided<std::uint32_t, 1024>(shape);
    case 8:
      return bench::strided<std::uint64_t, 1024>(shape);
    default:
      return bench::strided<Sixteen, 1024>(shape);
    }
  case lines: {
    for (const Move move : {bench::lines<12, 200, 1152>(shape), bench::lines<16, 200, 1152>(shape),
                            bench::lines<40, 200, 1152>(shape), bench::lines<64, 200, 1152>(shape),
                            bench::lines<72, 200, 1152>(shape), bench::lines<96, 200, 1152>(shape),
                            bench::lines<136, 200, 1152>(shape), bench::lines<512, 8, 1152>(shape),
                            bench::lines<1024, 8, 1152>(shape), bench::lines<512, 32, 8192>(shape)})
      if (move)
        return move;
    return nullptr;
  }
  case planes:
    return shape.to_local ? planes_in<40, 20, 256, 20, 256 * 64>
                          : planes_out<40, 20, 256, 20, 256 * 64>;
  }
  return nullptr;
}

} // namespace

double seconds_by_hand(const CopyShape& shape, Byte* global, Byte* local, std::size_t rounds) {
  const auto tiles = shape.tiles(), tile_step = shape.tile_step();
  const auto bytes = shape.bytes;
  const Move move = find(shape);
  if (!move && shape.call != CopyShape::Call::contiguous)
    return -1;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      auto* at = global + tile * tile_step;
      if (move)
        move(at, local);
      else if (shape.to_local)
        std::memcpy(local, at, bytes);
      else
        std::memcpy(at, local, bytes);
      asm volatile("" ::"r"(local), "r"(at) : "memory");
    }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace heddle::bench
