// Asking for lines of the cache.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

constexpr std::uint64_t kCacheLine = 64; // bytes

// Of the line that the place lies in, for the first-level cache. Never fails, wherever that is.
enum class Prefetch : std::uint8_t { to_read = 0, to_write = 1 };
inline void prefetch(llvm::IRBuilder<>& builder, llvm::Value* place, Prefetch what) {
  constexpr unsigned kKeep = 3, kData = 1;
  builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {place->getType()},
                          {place, builder.getInt32(static_cast<unsigned>(what)),
                           builder.getInt32(kKeep), builder.getInt32(kData)});
}

} // namespace heddle::compiler
