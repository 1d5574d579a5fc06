// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_INTEL_memory_access_aliasing: domains, scopes and lists of scopes as LLVM's metadata.
#include "compiler/spirv/translator.h"
#include "llvm/IR/MDBuilder.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

} // namespace

void Translator::declare_aliasing(const Instruction& instruction) {
  const auto number = instruction[1];
  new_id(number).kind = IdKind::other;
  llvm::MDBuilder builder(context_);
  switch (instruction.op) {
  case Op::OpAliasDomainDeclINTEL:
    alias_domains_[number] = builder.createAnonymousAliasScopeDomain("domain");
    return;
  case Op::OpAliasScopeDeclINTEL: {
    const auto found = alias_domains_.find(instruction[2]);
    require(found != alias_domains_.end(), "the operand is an alias domain");
    alias_scopes_[number] = builder.createAnonymousAliasScope(found->second, "scope");
    return;
  }
  default:
    alias_lists_at_.push_back(instruction.at);
    return;
  }
}

// Clang 22's backend writes lists before the scopes that they name.
void Translator::make_alias_lists() {
  for (const auto at : alias_lists_at_) {
    const auto instruction = instruction_at(at);
    llvm::SmallVector<llvm::Metadata*, 4> scopes;
    for (const auto id : instruction.from(2)) {
      const auto found = alias_scopes_.find(id);
      require(found != alias_scopes_.end(), "the operand is an alias scope");
      scopes.push_back(found->second);
    }
    alias_lists_[instruction[1]] = llvm::MDNode::get(context_, scopes);
  }
}

llvm::MDNode* Translator::alias_list(Word number) const {
  const auto found = alias_lists_.find(number);
  require(found != alias_lists_.end(), "the operand is a list of alias scopes");
  return found->second;
}

// Scopes hold for one execution of what they are of, which a module does not tell. So each begins
// anew in each block: copies of the block, of an unrolled loop above all, have their own.
void Translator::set_aliasing(llvm::Instruction* access, llvm::MDNode* scopes,
                              llvm::MDNode* others) {
  if (scopes != nullptr && scopes->getNumOperands() != 0) {
    access->setMetadata(llvm::LLVMContext::MD_alias_scope, scopes);
    const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(access);
    for (const auto& scope : scopes->operands()) { // a declaration is of one scope
      auto* single = llvm::MDNode::get(context_, {scope.get()});
      if (scopes_begun_.insert({access->getParent(), single}).second)
        builder_.CreateNoAliasScopeDeclaration(single);
    }
  }
  if (others != nullptr && others->getNumOperands() != 0)
    access->setMetadata(llvm::LLVMContext::MD_noalias, others);
}

} // namespace heddle::compiler::spirv
