// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/local_argument.h"

#include "llvm/IR/Metadata.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kLocalArgument = "heddle.local_argument";

} // namespace

void mark_local_argument(llvm::GetElementPtrInst& pointer) {
  pointer.setMetadata(kLocalArgument, llvm::MDNode::get(pointer.getContext(), {}));
}

bool is_local_argument(const llvm::GetElementPtrInst& pointer) {
  return pointer.hasMetadata(kLocalArgument);
}

} // namespace heddle::compiler
