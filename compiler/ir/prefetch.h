// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits prefetches.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

constexpr std::uint64_t kCacheLine = 64; // bytes

// Prefetches the cache line of `place` into the first-level cache. Never faults.
enum class Prefetch : std::uint8_t { to_read = 0, to_write = 1 };
inline void prefetch(llvm::IRBuilder<>& builder, llvm::Value* place, Prefetch what) {
  constexpr unsigned kKeep = 3, kData = 1;
  builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {place->getType()},
                          {place, builder.getInt32(static_cast<unsigned>(what)),
                           builder.getInt32(kKeep), builder.getInt32(kData)});
}

} // namespace heddle::compiler
