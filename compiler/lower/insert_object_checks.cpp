// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/insert_object_checks.h"

#include "compiler/lower/checked_calls.h"
#include "compiler/lower/checked_objects.h"
#include "compiler/lower/known_offsets.h"
#include "compiler/lower/memory_accesses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle::compiler {
namespace {

bool is_cast(const llvm::Operator& value) {
  const auto opcode = value.getOpcode();
  return opcode == llvm::Instruction::AddrSpaceCast || opcode == llvm::Instruction::BitCast ||
         opcode == llvm::Instruction::Freeze;
}

// Numbers that are the distances of pointers from an object.
class Offsets {
 public:
  explicit Offsets(llvm::Function& function)
      : layout_(function.getDataLayout()), word_(llvm::Type::getInt64Ty(function.getContext())) {}

  // Null: it is not known how the pointer is derived from the object.
  llvm::Value* of(llvm::Value& pointer, const llvm::Value& object) {
    llvm::SmallPtrSet<const llvm::Value*, 8> seen;
    return is_derived(pointer, object, seen) ? make(pointer, object) : nullptr;
  }

  // Those that have no users.
  void remove_unused() {
    llvm::SmallVector<llvm::WeakTrackingVH, 16> made;
    for (const auto& [pointer, offset] : offsets_)
      made.emplace_back(offset);
    for (const auto& value : made) {
      if (auto* phi = llvm::dyn_cast_or_null<llvm::PHINode>(value))
        llvm::RecursivelyDeleteDeadPHINode(phi);
      else if (auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(value))
        llvm::RecursivelyDeleteTriviallyDeadInstructions(instruction);
    }
  }

 private:
  static bool is_derived(const llvm::Value& pointer, const llvm::Value& object,
                         llvm::SmallPtrSetImpl<const llvm::Value*>& seen) {
    if (&pointer == &object || !seen.insert(&pointer).second)
      return true;
    const auto is = [&](const llvm::Value* from) { return is_derived(*from, object, seen); };
    if (const auto* element = llvm::dyn_cast<llvm::GEPOperator>(&pointer))
      return is(element->getPointerOperand());
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&pointer))
      return llvm::all_of(phi->incoming_values(), is);
    if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&pointer))
      return is(select->getTrueValue()) && is(select->getFalseValue());
    const auto* cast = llvm::dyn_cast<llvm::Operator>(&pointer);
    return cast != nullptr && is_cast(*cast) && is(cast->getOperand(0));
  }

  llvm::Value* make(llvm::Value& pointer, const llvm::Value& object) {
    if (&pointer == &object)
      return llvm::ConstantInt::get(word_, 0);
    if (auto* known = offsets_.lookup(&pointer))
      return known;
    auto* made = make_new(pointer, object);
    offsets_[&pointer] = made;
    return made;
  }

  llvm::Value* make_new(llvm::Value& pointer, const llvm::Value& object) {
    if (auto* element = llvm::dyn_cast<llvm::GEPOperator>(&pointer))
      return make_element(*element, object);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&pointer)) {
      auto* made =
          llvm::PHINode::Create(word_, phi->getNumIncomingValues(), "offset", phi->getIterator());
      offsets_[&pointer] = made; // for loops
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        made->addIncoming(make(*phi->getIncomingValue(i), object), phi->getIncomingBlock(i));
      return made;
    }
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&pointer))
      return llvm::IRBuilder<>(select).CreateSelect(select->getCondition(),
                                                    make(*select->getTrueValue(), object),
                                                    make(*select->getFalseValue(), object));
    return make(*llvm::cast<llvm::Operator>(pointer).getOperand(0), object);
  }

  llvm::Value* make_element(llvm::GEPOperator& element, const llvm::Value& object) {
    auto* base = make(*element.getPointerOperand(), object);
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&element);
    if (instruction == nullptr) { // all of it is constant
      llvm::APInt bytes(layout_.getIndexTypeSizeInBits(element.getType()), 0);
      (void)element.accumulateConstantOffset(layout_, bytes);
      return llvm::ConstantInt::get(word_, bytes.sextOrTrunc(64) +
                                               llvm::cast<llvm::ConstantInt>(base)->getValue());
    }
    llvm::IRBuilder<> builder(instruction);
    // What is out of bounds must not be poison.
    auto* bytes = llvm::emitGEPOffset(&builder, layout_, &element, /*NoAssumptions=*/true);
    return builder.CreateAdd(base, builder.CreateSExtOrTrunc(bytes, word_));
  }

  const llvm::DataLayout& layout_;
  llvm::Type* const word_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> offsets_;
};

} // namespace

llvm::PreservedAnalyses InsertObjectChecksPass::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager& analyses) {
  const auto* kernel = compilation_.find_kernel(function);
  if (kernel == nullptr)
    return llvm::PreservedAnalyses::all();
  KnownOffsets known(function, *kernel, analyses.getResult<llvm::AssumptionAnalysis>(function),
                     analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
  CheckCalls calls(*function.getParent());
  Offsets offsets(function);
  llvm::SmallVector<llvm::Instruction*, 64> instructions;
  for (auto& instruction : llvm::instructions(function))
    instructions.push_back(&instruction);
  for (auto* instruction : instructions)
    for (const auto& access : accesses_of(*instruction)) {
      const auto object = find_object(*access.pointer, *kernel);
      auto* offset = object ? offsets.of(*access.pointer, *object->address) : nullptr;
      if (offset == nullptr ||
          known.are_inside(*offset, *access.bytes, object->bytes, *instruction))
        continue;
      llvm::IRBuilder<> builder(instruction);
      create_object_check(builder, calls, access.kind, *calls.place(*instruction), *object, *offset,
                          *access.bytes);
    }
  offsets.remove_unused();
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
