// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids and what they stand for.
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/translator.h"
#include "llvm/IR/Constants.h"

#include <cstring>

namespace heddle::compiler::spirv {

Id& Translator::new_id(Word number) {
  if (number == 0 || number >= bound_)
    refuse("the result's id " + llvm::Twine(number) + " is not below the bound");
  auto& block = ids_[number / kIdsInBlock];
  if (!block)
    block = std::make_unique<Id[]>(kIdsInBlock);
  auto& id = block[number % kIdsInBlock];
  if (id.kind != IdKind::none)
    refuse("id " + llvm::Twine(number) + " is defined twice");
  id.function = function_;
  return id;
}

const Id& Translator::id(Word number) const {
  static const Id kNone{};
  if (number >= bound_ || !ids_[number / kIdsInBlock])
    return kNone;
  return ids_[number / kIdsInBlock][number % kIdsInBlock];
}

void Translator::define_value(Word number, Word type, llvm::Value* value) {
  // Phis stand before all else, and what they merge is cut.
  if (has_odd_integers_ && builder_.GetInsertBlock() != nullptr && current_.op != spv::Op::OpPhi &&
      id(type).kind == IdKind::type)
    if (const auto bits = odd_bits(types_[id(type).index]); bits != 0)
      value = cut(value, bits);
  auto& id = new_id(number);
  id.kind = IdKind::value;
  id.type = type;
  id.value = value;
}

void Translator::define_result(const Instruction& instruction, llvm::Value* value) {
  if (value->getType() != type(instruction[1]).llvm)
    refuse("the operands' types do not give the result's type");
  if (llvm::isa<llvm::Instruction>(value) && !value->hasName() && !value->getType()->isVoidTy())
    if (const auto text = name(instruction[2]); !text.empty())
      value->setName(text);
  define_value(instruction[2], instruction[1], value);
}

llvm::Value* Translator::value(Word number) {
  const auto& found = id(number);
  if (found.kind == IdKind::variable_builtin)
    return builtin_variable(found.index, number);
  if (found.kind == IdKind::sampler)
    return sampler_value(found.index);
  if (found.kind != IdKind::value || (found.function != 0 && found.function != function_))
    refuse("id " + llvm::Twine(number) + " is not a value that is defined here");
  if (found.value->getType()->isVoidTy())
    refuse("id " + llvm::Twine(number) + " is void");
  return found.value;
}

llvm::Value* Translator::value_of(Word number, const llvm::Type* type, const char* what) {
  auto* found = value(number);
  if (found->getType() != type)
    refuse(llvm::Twine(what) + " (id " + llvm::Twine(number) + ") has another type than it must");
  return found;
}

llvm::Value* Translator::integer(Word number, const char* what) {
  auto* found = value(number);
  if (!found->getType()->isIntegerTy() || type_of_value(number).op != spv::Op::OpTypeInt)
    refuse(llvm::Twine(what) + " (id " + llvm::Twine(number) + ") is an integer");
  return found;
}

llvm::Value* Translator::pointer(Word number, const char* what) {
  auto* found = value(number);
  if (!found->getType()->isPointerTy() || type_of_value(number).op != spv::Op::OpTypePointer)
    refuse(llvm::Twine(what) + " (id " + llvm::Twine(number) + ") is a pointer");
  return found;
}

llvm::Constant* Translator::constant(Word number, const char* what) {
  const auto& found = id(number);
  auto* constant =
      found.kind == IdKind::value ? llvm::dyn_cast<llvm::Constant>(found.value) : nullptr;
  if (constant == nullptr)
    refuse(llvm::Twine(what) + " (id " + llvm::Twine(number) + ") is a constant");
  return constant;
}

std::uint64_t Translator::constant_number(Word number, const char* what) {
  const auto* found = llvm::dyn_cast<llvm::ConstantInt>(constant(number, what));
  if (found == nullptr || found->getBitWidth() > 64)
    refuse(llvm::Twine(what) + " (id " + llvm::Twine(number) + ") is an integer constant");
  return found->getZExtValue();
}

const Type& Translator::type(Word number) const {
  const auto& found = id(number);
  if (found.kind != IdKind::type)
    refuse("id " + llvm::Twine(number) + " is not a type that is defined here");
  return types_[found.index];
}

const Type& Translator::type_of_value(Word number) const {
  const auto& found = id(number);
  if (found.type == 0)
    refuse("id " + llvm::Twine(number) + " is not a value with a type");
  return type(found.type);
}

const Type& Translator::pointee(Word pointer_value) const {
  const auto& pointer = type_of_value(pointer_value);
  if (pointer.op != spv::Op::OpTypePointer || pointer.element == 0)
    refuse("id " + llvm::Twine(pointer_value) + " is not a pointer to a known type");
  return type(pointer.element);
}

llvm::Type* Translator::sized_type(Word number, const char* what) const {
  const auto& found = type(number);
  if (found.bytes == 0)
    refuse(llvm::Twine(what) + " has a type with a size");
  return found.llvm;
}

llvm::BasicBlock* Translator::block(Word number) const {
  const auto& found = id(number);
  if (found.kind != IdKind::block || found.function != function_)
    refuse("id " + llvm::Twine(number) + " is not a label of this function");
  return found.block;
}

llvm::StringRef Translator::text(Words words, std::size_t* used) const {
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

llvm::StringRef Translator::text_of_id(Word number) const {
  const auto& found = id(number);
  if (found.kind != IdKind::text)
    refuse("id " + llvm::Twine(number) + " is not an OpString");
  return texts_[found.index];
}

llvm::StringRef Translator::name(Word number) const {
  const auto found = names_.find(number);
  return found != names_.end() ? found->second : llvm::StringRef();
}

} // namespace heddle::compiler::spirv
