// Copies' elements that lie a known step apart, by whole vectors: builtins/copy_gather.h and
// copy_scatter.h ask for them. With AVX-512.
#pragma once

#include "compiler/ir/target_info.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// Whether loads of whole vectors, blended and shuffled into order, are the fastest way to elements
// of 1 or 2 bytes, `step` bytes apart.
bool collects(const TargetInfo& target, unsigned size, const llvm::Value* step);
// As many elements as the call's vector has, from an address on, a step apart. Reads what lies
// between them and a step less one element behind the last.
llvm::Value* collect(llvm::IRBuilder<>& builder, const llvm::CallInst& call, unsigned size);

// Whether stores of whole vectors under masks, with shuffles into place, are the fastest way: as
// far as a line of the cache has more than one element.
bool spreads(const TargetInfo& target, unsigned size, const llvm::Value* step);
// Stores the elements of a vector, of `size` bytes each, `step` bytes apart. In the bytes that they
// lie among, a vector's worth at a time, every lane is an element's or nobody's.
llvm::Value* spread(llvm::IRBuilder<>& builder, const llvm::CallInst& call, unsigned size);

} // namespace heddle::compiler
