// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids and what they stand for.
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"

#include <cstring>

namespace heddle::compiler::spirv {

Id& Translation::new_id(Word number) {
  if (number == 0 || number >= bound)
    refuse("the result's id " + llvm::Twine(number) + " is not below the bound");
  auto& block = ids[number / kIdsInBlock];
  if (!block)
    block = std::make_unique<Id[]>(kIdsInBlock);
  auto& id = block[number % kIdsInBlock];
  if (id.kind != IdKind::none)
    refuse("id " + llvm::Twine(number) + " is defined twice");
  id.function = function_number;
  return id;
}

const Id& Translation::id(Word number) const {
  static const Id kNone{};
  if (number >= bound || !ids[number / kIdsInBlock])
    return kNone;
  return ids[number / kIdsInBlock][number % kIdsInBlock];
}

void Translation::define_value(Word number, Word type, llvm::Value* value) {
  // Phis stand before all else, and what they merge is cut.
  if (has_odd_integers && builder.GetInsertBlock() != nullptr && current.op != spv::Op::OpPhi &&
      id(type).kind == IdKind::type)
    if (const auto bits = odd_bits(types[id(type).index]); bits != 0)
      value = cut(value, bits);
  auto& id = new_id(number);
  id.kind = IdKind::value;
  id.type = type;
  id.value = value;
}

void Translation::define_result(const Instruction& instruction, llvm::Value* value) {
  if (value->getType() != type(instruction[1]).llvm)
    refuse("the operands' types do not give the result's type");
  if (llvm::isa<llvm::Instruction>(value) && !value->hasName() && !value->getType()->isVoidTy())
    if (const auto text = name(instruction[2]); !text.empty())
      value->setName(text);
  define_value(instruction[2], instruction[1], value);
}

llvm::Value* Translation::value(Word number) {
  const auto& found = id(number);
  if (found.kind == IdKind::variable_builtin)
    return builtin_variable(*this, found.index, number);
  if (found.kind == IdKind::sampler)
    return sampler_value(*this, found.index);
  if (found.kind != IdKind::value || (found.function != 0 && found.function != function_number))
    refuse("id " + llvm::Twine(number) + " is not a value that is defined here");
  if (found.value->getType()->isVoidTy())
    refuse("id " + llvm::Twine(number) + " is void");
  return found.value;
}

llvm::Value* Translation::value_of(Word number, const llvm::Type* type, const char* what) {
  auto* found = value(number);
  if (found->getType() != type)
    refuse(llvm::Twine(what) + " (id " + llvm::Twine(number) + ") has another type than it must");
  return found;
}

llvm::Value* Translation::integer(Word number, const char* what) {
  auto* found = value(number);
  if (!found->getType()->isIntegerTy() || type_of_value(number).op != spv::Op::OpTypeInt)
    refuse(llvm::Twine(what) + " (id " + llvm::Twine(number) + ") is an integer");
  return found;
}

llvm::Value* Translation::pointer(Word number, const char* what) {
  auto* found = value(number);
  if (!found->getType()->isPointerTy() || type_of_value(number).op != spv::Op::OpTypePointer)
    refuse(llvm::Twine(what) + " (id " + llvm::Twine(number) + ") is a pointer");
  return found;
}

llvm::Constant* Translation::constant(Word number, const char* what) {
  const auto& found = id(number);
  auto* constant =
      found.kind == IdKind::value ? llvm::dyn_cast<llvm::Constant>(found.value) : nullptr;
  if (constant == nullptr)
    refuse(llvm::Twine(what) + " (id " + llvm::Twine(number) + ") is a constant");
  return constant;
}

std::uint64_t Translation::constant_number(Word number, const char* what) {
  const auto* found = llvm::dyn_cast<llvm::ConstantInt>(constant(number, what));
  if (found == nullptr || found->getBitWidth() > 64)
    refuse(llvm::Twine(what) + " (id " + llvm::Twine(number) + ") is an integer constant");
  return found->getZExtValue();
}

const Type& Translation::type(Word number) const {
  const auto& found = id(number);
  if (found.kind != IdKind::type)
    refuse("id " + llvm::Twine(number) + " is not a type that is defined here");
  return types[found.index];
}

const Type& Translation::type_of_value(Word number) const {
  const auto& found = id(number);
  if (found.type == 0)
    refuse("id " + llvm::Twine(number) + " is not a value with a type");
  return type(found.type);
}

const Type& Translation::pointee(Word pointer_value) const {
  const auto& pointer = type_of_value(pointer_value);
  if (pointer.op != spv::Op::OpTypePointer || pointer.element == 0)
    refuse("id " + llvm::Twine(pointer_value) + " is not a pointer to a known type");
  return type(pointer.element);
}

llvm::Type* Translation::sized_type(Word number, const char* what) const {
  const auto& found = type(number);
  if (found.bytes == 0)
    refuse(llvm::Twine(what) + " has a type with a size");
  return found.llvm;
}

llvm::BasicBlock* Translation::block(Word number) const {
  const auto& found = id(number);
  if (found.kind != IdKind::block || found.function != function_number)
    refuse("id " + llvm::Twine(number) + " is not a label of this function");
  return found.block;
}

llvm::StringRef Translation::text(Words words, std::size_t* used) const {
  const auto* first = reinterpret_cast<const char*>(words.data());
  const auto* end =
      words.empty() ? nullptr : static_cast<const char*>(std::memchr(first, 0, 4 * words.size()));
  if (end == nullptr)
    refuse("a literal string ends with a zero byte");
  const auto length = static_cast<std::size_t>(end - first);
  if (used != nullptr)
    *used = length / 4 + 1;
  return {first, length};
}

llvm::StringRef Translation::text_of_id(Word number) const {
  const auto& found = id(number);
  if (found.kind != IdKind::text)
    refuse("id " + llvm::Twine(number) + " is not an OpString");
  return texts[found.index];
}

llvm::StringRef Translation::name(Word number) const {
  const auto found = names.find(number);
  return found != names.end() ? found->second : llvm::StringRef();
}

} // namespace heddle::compiler::spirv
