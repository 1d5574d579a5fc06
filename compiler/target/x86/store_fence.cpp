// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/instructions.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace heddle::compiler::target_instructions {

void emit_store_fence(llvm::IRBuilderBase& builder) {
  builder.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {});
}

} // namespace heddle::compiler::target_instructions
