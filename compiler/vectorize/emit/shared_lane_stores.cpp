// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/shared_lane_stores.h"

#include "compiler/vectorize/analysis/lane_access.h"
#include "compiler/vectorize/analysis/vector_value.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

// Of a store in place for each lane: its address is computed and extracted, and its value.
constexpr std::uint64_t kInstructionsOfLane = 5;
// Of all in place, beyond which they are shared: code of as many is too long (code_limits.h). A
// call costs about 5 cycles, where 16 stores take 40, and the vectors in registers are spilled.
constexpr std::uint64_t kMaxInPlace = 4'000;
constexpr std::uint64_t kMaxBits = 64;
// Of the shared functions.
constexpr llvm::StringLiteral kAttribute = "heddle-lane-stores";

llvm::Function* find_or_define(llvm::IRBuilderBase& builder, llvm::VectorType* values,
                               llvm::VectorType* addresses, llvm::Align align) {
  auto& caller = *builder.GetInsertBlock()->getParent();
  auto& module = *caller.getParent();
  const auto count = values->getElementCount().getFixedValue();
  const auto name = ("heddle.store.lanes.v" + llvm::Twine(count) + "i" +
                     llvm::Twine(values->getScalarSizeInBits()) + ".p" +
                     llvm::Twine(addresses->getScalarType()->getPointerAddressSpace()) + "." +
                     llvm::Twine(align.value()))
                        .str();
  if (auto* known = module.getFunction(name))
    return known;
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {values, addresses}, false),
      llvm::GlobalValue::InternalLinkage, name, module);
  for (const auto attribute : caller.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute())
      function->addFnAttr(attribute);
  // Not of memory of arguments, for which LLVM's alias analysis takes scalar pointers only.
  for (const auto attribute :
       {llvm::Attribute::NoInline, llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn,
        llvm::Attribute::NoSync, llvm::Attribute::NoFree, llvm::Attribute::NoCallback})
    function->addFnAttr(attribute);
  function->setMemoryEffects(llvm::MemoryEffects::writeOnly());
  function->addFnAttr(kAttribute);
  function->setUWTableKind(caller.getUWTableKind());
  llvm::IRBuilder<> body(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  for (unsigned lane = 0; lane < count; ++lane)
    body.CreateAlignedStore(body.CreateExtractElement(function->getArg(0), lane),
                            body.CreateExtractElement(function->getArg(1), lane), align);
  body.CreateRetVoid();
  return function;
}

} // namespace

bool has_many_lane_stores(const llvm::Function& kernel, const LaneShapes& shapes,
                          const VectorPlan& plan) {
  std::uint64_t stores = 0;
  for (const auto& instruction : llvm::instructions(kernel)) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (store == nullptr || !store->isSimple())
      continue;
    auto* type = store->getValueOperand()->getType();
    const auto bits = std::uint64_t{type->getScalarSizeInBits()} * component_count(type);
    const bool is_scattered = plan.has_gathers && bits >= 32;
    if (bits <= kMaxBits && !is_scattered && !lane_access(*store, shapes).has_stride())
      ++stores;
  }
  return stores * plan.width * plan.rows * kInstructionsOfLane > kMaxInPlace;
}

void call_lane_stores(llvm::IRBuilderBase& builder, llvm::Value& values, llvm::Value& addresses,
                      llvm::Align align) {
  auto* function = find_or_define(builder, llvm::cast<llvm::VectorType>(values.getType()),
                                  llvm::cast<llvm::VectorType>(addresses.getType()), align);
  builder.CreateCall(function, {&values, &addresses});
}

std::uint64_t instructions_of_lane_stores(const llvm::Function& function) {
  std::uint64_t sum = 0;
  for (const auto& instruction : llvm::instructions(function))
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const auto* callee = call->getCalledFunction();
          callee && callee->hasFnAttribute(kAttribute))
        sum += kInstructionsOfLane * component_count(call->getArgOperand(0)->getType());
  return sum;
}

} // namespace heddle::compiler
