// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/abi_builder.h"

#include "llvm/IR/Metadata.h"

namespace heddle::compiler {

llvm::LoadInst* AbiBuilder::load_invariant(llvm::Value* base, std::uint64_t offset,
                                           llvm::Type* type, const llvm::Twine& name) {
  auto* load = builder_.CreateAlignedLoad(type, field(base, offset), llvm::Align(8), name);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(builder_.getContext(), {}));
  return load;
}

} // namespace heddle::compiler
