// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/object_places.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle::compiler {
namespace {

// Of a pointer parameter: the number of its object's. Of a function: its result has a place.
constexpr llvm::StringLiteral kPlace = "heddle.object_place";

bool is_pointer_cast(const llvm::Value& value) {
  const auto* operation = llvm::dyn_cast<llvm::Operator>(&value);
  if (operation == nullptr || !operation->getType()->isPointerTy())
    return false;
  const auto opcode = operation->getOpcode();
  return opcode == llvm::Instruction::AddrSpaceCast || opcode == llvm::Instruction::BitCast ||
         opcode == llvm::Instruction::Freeze;
}

llvm::SmallVector<const llvm::Value*, 4> underlying_objects(const llvm::Value& pointer) {
  llvm::SmallVector<const llvm::Value*, 4> roots;
  llvm::getUnderlyingObjects(&pointer, roots, nullptr, 0);
  return roots;
}

// The call whose result, with its place, the pointer is: the first member, or that of its first
// member.
llvm::CallInst* call_with_place(llvm::Value& pointer) {
  auto* value = &pointer;
  while (auto* member = llvm::dyn_cast<llvm::ExtractValueInst>(value)) {
    if (llvm::any_of(member->indices(), [](unsigned index) { return index != 0; }))
      return nullptr;
    value = member->getAggregateOperand();
  }
  auto* call = value != &pointer ? llvm::dyn_cast<llvm::CallInst>(value) : nullptr;
  const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && has_result_place(*callee) ? call : nullptr;
}

} // namespace

void set_places(llvm::Argument& pointer, unsigned object) {
  pointer.addAttr(llvm::Attribute::get(pointer.getContext(), kPlace, std::to_string(object)));
}

void set_result_place(llvm::Function& function) { function.addFnAttr(kPlace); }

bool has_result_place(const llvm::Function& function) { return function.hasFnAttribute(kPlace); }

ObjectPlaces::ObjectPlaces(llvm::Function& function, const Kernel* kernel, CheckCalls& calls)
    : layout_(function.getDataLayout()), word_(llvm::Type::getInt64Ty(function.getContext())),
      kernel_(kernel), calls_(calls) {}

ObjectPlace ObjectPlaces::any() const {
  return {any_object_descriptor(calls_), llvm::ConstantInt::get(word_, kOffsetInAnyObject)};
}

std::optional<ObjectPlace> ObjectPlaces::of(llvm::Value& pointer) {
  if (llvm::none_of(underlying_objects(pointer), [&](const llvm::Value* root) {
        return known_root(*const_cast<llvm::Value*>(root)).has_value();
      }))
    return std::nullopt;
  const auto place = make(pointer);
  // It is not known how the pointer is derived from the object.
  if (place.object == any_object_descriptor(calls_))
    return std::nullopt;
  return place;
}

void ObjectPlaces::remove_unused() {
  llvm::SmallVector<llvm::WeakTrackingVH, 32> made;
  for (const auto& [pointer, place] : places_)
    for (auto* value : {place.object, place.offset})
      made.emplace_back(value);
  for (const auto& value : made) {
    if (auto* phi = llvm::dyn_cast_or_null<llvm::PHINode>(value))
      llvm::RecursivelyDeleteDeadPHINode(phi);
    else if (auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(value))
      llvm::RecursivelyDeleteTriviallyDeadInstructions(instruction);
  }
}

std::optional<ObjectPlace> ObjectPlaces::known_root(llvm::Value& root) {
  const auto found = roots_.find(&root);
  if (found != roots_.end())
    return found->second;
  std::optional<ObjectPlace> place;
  if (const auto object = object_at(root, kernel_)) {
    place = {object_descriptor(calls_, *object), llvm::ConstantInt::get(word_, 0)};
  } else if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&root)) {
    auto& function = *argument->getParent();
    const auto attribute = function.getAttributes().getParamAttr(argument->getArgNo(), kPlace);
    unsigned number = 0;
    if (attribute.isValid() && !attribute.getValueAsString().getAsInteger(10, number)) {
      auto& parameters = const_cast<llvm::Function&>(function);
      place = {parameters.getArg(number), parameters.getArg(number + 1)};
    }
  } else if (auto* call = call_with_place(root)) {
    llvm::IRBuilder<> builder(call->getNextNode());
    place = {builder.CreateExtractValue(call, 1), builder.CreateExtractValue(call, 2)};
  }
  roots_[&root] = place;
  return place;
}

llvm::Value* ObjectPlaces::only_object(llvm::Value& pointer) {
  llvm::Value* only = nullptr;
  for (const auto* root : underlying_objects(pointer)) {
    const auto place = known_root(*const_cast<llvm::Value*>(root));
    if (!place || (only != nullptr && only != place->object))
      return nullptr;
    only = place->object;
  }
  return only;
}

ObjectPlace ObjectPlaces::make(llvm::Value& pointer) {
  if (const auto root = known_root(pointer))
    return *root;
  if (const auto found = places_.find(&pointer); found != places_.end())
    return found->second;
  const auto place = make_new(pointer);
  places_[&pointer] = place;
  return place;
}

ObjectPlace ObjectPlaces::make_new(llvm::Value& pointer) {
  if (auto* element = llvm::dyn_cast<llvm::GEPOperator>(&pointer)) {
    const auto base = make(*element->getPointerOperand());
    return {base.object, make_offset(*element, *base.offset)};
  }
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&pointer))
    return make_phi(*phi);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&pointer))
    return make_select(*select);
  if (is_pointer_cast(pointer))
    return make(*llvm::cast<llvm::Operator>(pointer).getOperand(0));
  return any();
}

ObjectPlace ObjectPlaces::make_phi(llvm::PHINode& phi) {
  const auto count = phi.getNumIncomingValues();
  const auto add = [&](llvm::Type* type, const char* name) {
    return llvm::PHINode::Create(type, count, name, phi.getIterator());
  };
  auto* offset = add(word_, "offset");
  auto* object = only_object(phi);
  auto* objects =
      object == nullptr ? add(llvm::PointerType::getUnqual(phi.getContext()), "object") : nullptr;
  const ObjectPlace place{object != nullptr ? object : objects, offset};
  places_[&phi] = place; // for loops
  for (unsigned i = 0; i < count; ++i) {
    const auto from = make(*phi.getIncomingValue(i));
    offset->addIncoming(from.offset, phi.getIncomingBlock(i));
    if (objects != nullptr)
      objects->addIncoming(from.object, phi.getIncomingBlock(i));
  }
  return place;
}

ObjectPlace ObjectPlaces::make_select(llvm::SelectInst& select) {
  const auto left = make(*select.getTrueValue()), right = make(*select.getFalseValue());
  llvm::IRBuilder<> builder(&select);
  return {builder.CreateSelect(select.getCondition(), left.object, right.object),
          builder.CreateSelect(select.getCondition(), left.offset, right.offset)};
}

llvm::Value* ObjectPlaces::make_offset(llvm::GEPOperator& element, llvm::Value& base) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&element);
  if (instruction == nullptr) { // all of it is constant
    llvm::APInt bytes(layout_.getIndexTypeSizeInBits(element.getType()), 0);
    (void)element.accumulateConstantOffset(layout_, bytes);
    return llvm::ConstantInt::get(word_, bytes.sextOrTrunc(64) +
                                             llvm::cast<llvm::ConstantInt>(base).getValue());
  }
  llvm::IRBuilder<> builder(instruction);
  // What is out of bounds must not be poison.
  auto* bytes = llvm::emitGEPOffset(&builder, layout_, &element, /*NoAssumptions=*/true);
  return builder.CreateAdd(&base, builder.CreateSExtOrTrunc(bytes, word_));
}

} // namespace heddle::compiler
