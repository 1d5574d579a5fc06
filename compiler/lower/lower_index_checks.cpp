// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_index_checks.h"

#include "compiler/lower/checked_calls.h"
#include "compiler/lower/checked_objects.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace heddle::compiler {
namespace {

// The operands of Clang's handler: the constant (place, type of the array, type of the index), the
// index. A type is (kind, its bits and whether it is signed, text).
enum HandlerOperand : unsigned { kData, kIndex };
enum DataMember : unsigned { kPlaceOfIndex, kArrayType, kIndexType };
enum TypeMember : unsigned { kTypeKind, kTypeInfo, kTypeText };

const llvm::Constant* described_type(const llvm::CallInst& handler, DataMember which) {
  const auto* data = llvm::cast<llvm::GlobalVariable>(handler.getArgOperand(kData));
  const auto* type = data->getInitializer()->getAggregateElement(which)->stripPointerCasts();
  return llvm::cast<llvm::GlobalVariable>(type)->getInitializer();
}

// "'int[4]'", "'Row' (aka 'int[3]')".
std::string array_text(const llvm::CallInst& handler) {
  const auto* text = llvm::cast<llvm::ConstantDataArray>(
      described_type(handler, kArrayType)->getAggregateElement(kTypeText));
  auto shown = text->getAsCString().str();
  for (const llvm::StringRef space :
       {"__private ", "__local ", "__global ", "__constant ", "__generic "})
    for (std::size_t at; (at = shown.find(space)) != std::string::npos;)
      shown.erase(at, space.size());
  return shown;
}

// A constant index, as the program has it.
std::int64_t constant_index(const llvm::CallInst& handler) {
  const auto value = llvm::cast<llvm::ConstantInt>(handler.getArgOperand(kIndex))->getValue();
  const auto info = llvm::cast<llvm::ConstantInt>(
                        described_type(handler, kIndexType)->getAggregateElement(kTypeInfo))
                        ->getZExtValue();
  const auto bits = std::min(1U << (info >> 1U), value.getBitWidth());
  return (info & 1U) != 0 ? value.trunc(bits).getSExtValue() : value.getSExtValue();
}

const llvm::Value* without_casts(const llvm::Value* index) {
  while (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(index))
    index = llvm::cast<llvm::CastInst>(index)->getOperand(0);
  return index;
}

// What selects the element in the block behind the check, or adds to a pointer to the first one;
// null: it is one of a vector.
llvm::GetElementPtrInst* find_element(llvm::BasicBlock& block, const llvm::Value& index) {
  for (auto& instruction : block)
    if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      const auto* last = element->getOperand(element->getNumOperands() - 1);
      const auto* number = llvm::dyn_cast<llvm::ConstantInt>(last);
      const auto* wanted = llvm::dyn_cast<llvm::ConstantInt>(&index);
      if (number != nullptr && wanted != nullptr ? number->getSExtValue() == wanted->getSExtValue()
                                                 : without_casts(last) == without_casts(&index))
        return element;
    }
  return nullptr;
}

bool is_sum(const llvm::GetElementPtrInst& element) { return element.getNumIndices() == 1; }

// Whether it, or a part of it, is read or written here, and not its address taken.
bool is_accessed(const llvm::Value& element) {
  return llvm::any_of(element.uses(), [&](const llvm::Use& use) {
    const auto* user = use.getUser();
    if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user))
      return is_accessed(*user);
    return llvm::isa<llvm::LoadInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst,
                     llvm::MemIntrinsic>(user) ||
           (llvm::isa<llvm::StoreInst>(user) &&
            use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex());
  });
}

bool is_of_whole_variable(const llvm::GetElementPtrInst& element) {
  const auto* base = element.getPointerOperand()->stripPointerCasts();
  const llvm::Type* type = nullptr;
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(base))
    type = variable->isArrayAllocation() ? nullptr : variable->getAllocatedType();
  else if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(base))
    type = variable->getValueType();
  if (type != nullptr && is_sum(element))
    type = type->isArrayTy() ? type->getArrayElementType() : nullptr;
  return type == element.getSourceElementType();
}

struct Index {
  llvm::Value* value;
  std::uint64_t bound; // the number of right ones
};

// Null: it is known to be right, or its element's access is checked.
std::optional<Index> index_to_check(const llvm::CallInst& handler, const llvm::BranchInst& branch,
                                    llvm::BasicBlock& next) {
  auto* word = llvm::Type::getInt64Ty(handler.getContext());
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(branch.getCondition())) {
    if (known->isOne() == (branch.getSuccessor(0) == &next))
      return std::nullopt;
    const auto number = constant_index(handler);
    auto* index = llvm::ConstantInt::getSigned(word, number);
    const auto* element = find_element(next, *index);
    if (element == nullptr)
      return Index{index, 0};
    if (is_sum(*element) && is_of_whole_variable(*element))
      return std::nullopt;
    const auto* array = llvm::dyn_cast<llvm::ArrayType>(element->getSourceElementType());
    const auto bound = array != nullptr ? array->getNumElements() : 0;
    if (static_cast<std::uint64_t>(number) == bound && !is_accessed(*element))
      return std::nullopt;
    return Index{index, bound};
  }
  const auto* compared = llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition());
  const auto* bound =
      compared != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(compared->getOperand(1)) : nullptr;
  if (bound == nullptr)
    return std::nullopt;
  auto* index = compared->getOperand(0);
  const auto* element = find_element(next, *index);
  if (element != nullptr && is_of_whole_variable(*element))
    return std::nullopt;
  const bool may_be_last = compared->getPredicate() == llvm::CmpInst::ICMP_ULE ||
                           (element != nullptr && !is_accessed(*element));
  return Index{index, bound->getZExtValue() + (may_be_last ? 1 : 0)};
}

void lower_handler(llvm::CallInst& handler, CheckCalls* calls) {
  auto* block = handler.getParent();
  auto* before = block->getSinglePredecessor();
  auto* branch =
      before != nullptr ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  if (branch == nullptr || !branch->isConditional()) { // none of Clang's
    handler.eraseFromParent();
    return;
  }
  auto* next = branch->getSuccessor(branch->getSuccessor(0) == block ? 1 : 0);
  llvm::IRBuilder<> builder(branch);
  if (calls != nullptr)
    if (const auto index = index_to_check(handler, *branch, *next)) {
      const CheckedObject object{nullptr, index->bound, array_text(handler)};
      create_object_check(builder, *calls, abi::CheckedCall::index, *calls->place(handler),
                          *object_descriptor(*calls, object), *index->value, *builder.getInt64(1));
    }
  auto* condition = branch->getCondition();
  builder.CreateBr(next);
  branch->eraseFromParent();
  llvm::DeleteDeadBlock(block);
  llvm::RecursivelyDeleteTriviallyDeadInstructions(condition);
}

using HandlerData = llvm::SmallSetVector<llvm::GlobalVariable*, 32>;

// The handler's data, and what it refers to, behind it.
void add_variables(llvm::Constant& constant, HandlerData& variables) {
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant);
      variable != nullptr && !variables.insert(variable))
    return;
  for (auto& operand : constant.operands())
    add_variables(*llvm::cast<llvm::Constant>(operand.get()), variables);
}

} // namespace

static void lower_index_checks(llvm::Module& module, bool are_kept) {
  auto* handler = module.getFunction(kIndexHandler);
  if (handler == nullptr)
    return;
  std::optional<CheckCalls> calls;
  if (are_kept)
    calls.emplace(module);
  HandlerData variables;
  for (auto* user : llvm::make_early_inc_range(handler->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    add_variables(*llvm::cast<llvm::Constant>(call->getArgOperand(kData)), variables);
    lower_handler(*call, calls ? &*calls : nullptr);
  }
  handler->eraseFromParent();
  // Texts that several refer to go last.
  for (bool changes = true; changes;) {
    changes = false;
    for (auto* variable : variables.takeVector()) {
      variable->removeDeadConstantUsers();
      if (variable->use_empty() && variable->hasPrivateLinkage()) {
        variable->eraseFromParent();
        changes = true;
      } else {
        variables.insert(variable);
      }
    }
  }
}

llvm::PreservedAnalyses LowerIndexChecksPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_index_checks(module, compilation_.checks_memory());
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
