// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_INTEL_memory_access_aliasing: domains, scopes and lists of scopes as LLVM's metadata.
#include "compiler/spirv/readers.h"
#include "llvm/IR/MDBuilder.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

void declare_aliasing(Translation& t, const Instruction& instruction) {
  const auto number = instruction[1];
  t.new_id(number).kind = IdKind::other;
  llvm::MDBuilder builder(t.context);
  switch (instruction.op) {
  case Op::OpAliasDomainDeclINTEL:
    t.alias_domains[number] = builder.createAnonymousAliasScopeDomain("domain");
    return;
  case Op::OpAliasScopeDeclINTEL: {
    const auto found = t.alias_domains.find(instruction[2]);
    t.require(found != t.alias_domains.end(), "the operand is an alias domain");
    t.alias_scopes[number] = builder.createAnonymousAliasScope(found->second, "scope");
    return;
  }
  default:
    t.alias_lists_at.push_back(instruction.at);
    return;
  }
}

} // namespace

// Clang 22's backend writes lists before the scopes that they name.
void make_alias_lists(Translation& t) {
  for (const auto at : t.alias_lists_at) {
    const auto instruction = t.instruction_at(at);
    llvm::SmallVector<llvm::Metadata*, 4> scopes;
    for (const auto id : instruction.from(2)) {
      const auto found = t.alias_scopes.find(id);
      t.require(found != t.alias_scopes.end(), "the operand is an alias scope");
      scopes.push_back(found->second);
    }
    t.alias_lists[instruction[1]] = llvm::MDNode::get(t.context, scopes);
  }
}

llvm::MDNode* alias_list(const Translation& t, Word number) {
  const auto found = t.alias_lists.find(number);
  t.require(found != t.alias_lists.end(), "the operand is a list of alias scopes");
  return found->second;
}

// Scopes hold for one execution of what they are of, which a module does not tell. So each begins
// anew in each block: copies of the block, of an unrolled loop above all, have their own.
void set_aliasing(Translation& t, llvm::Instruction* access, llvm::MDNode* scopes,
                  llvm::MDNode* others) {
  if (scopes != nullptr && scopes->getNumOperands() != 0) {
    access->setMetadata(llvm::LLVMContext::MD_alias_scope, scopes);
    const llvm::IRBuilder<>::InsertPointGuard guard(t.builder);
    t.builder.SetInsertPoint(access);
    for (const auto& scope : scopes->operands()) { // a declaration is of one scope
      auto* single = llvm::MDNode::get(t.context, {scope.get()});
      if (t.body.scopes_begun.insert({access->getParent(), single}).second)
        t.builder.CreateNoAliasScopeDeclaration(single);
    }
  }
  if (others != nullptr && others->getNumOperands() != 0)
    access->setMetadata(llvm::LLVMContext::MD_noalias, others);
}

void add_aliasing(Readers& readers) {
  readers.add_outside(declare_aliasing, {Op::OpAliasDomainDeclINTEL, Op::OpAliasScopeDeclINTEL,
                                         Op::OpAliasScopeListDeclINTEL});
}

} // namespace heddle::compiler::spirv
