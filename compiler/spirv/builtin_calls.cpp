// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the builtin library, by the names that Clang mangles for OpenCL C.
#include "compiler/spirv/readers.h"

namespace heddle::compiler::spirv {
namespace {

MangledTypeRef make(MangledType::Kind kind, std::string text, unsigned lanes = 0,
                    MangledTypeRef inner = nullptr) {
  auto type = std::make_shared<MangledType>();
  type->kind = kind;
  type->text = std::move(text);
  type->lanes = lanes;
  type->inner = std::move(inner);
  return type;
}

const char* integer_letter(unsigned bits, Sign sign) {
  const bool is_signed = sign == Sign::is_signed;
  switch (bits) {
  case 1:
    return "b";
  case 8:
    return is_signed ? "c" : "h";
  case 16:
    return is_signed ? "s" : "t";
  case 32:
    return is_signed ? "i" : "j";
  default:
    return is_signed ? "l" : "m";
  }
}

// How Clang extends a parameter that is narrower than a register.
llvm::Attribute::AttrKind extension(const MangledType& type) {
  if (type.kind != MangledType::Kind::scalar)
    return llvm::Attribute::None;
  if (type.text == "c" || type.text == "s")
    return llvm::Attribute::SExt;
  if (type.text == "h" || type.text == "t" || type.text == "b")
    return llvm::Attribute::ZExt;
  return llvm::Attribute::None;
}

} // namespace

MangledTypeRef Translation::mangled(const llvm::Type* type, Sign sign) const {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return make(MangledType::Kind::vector, "", vector->getNumElements(),
                mangled(vector->getElementType(), sign));
  if (type->isIntegerTy())
    return make(MangledType::Kind::scalar, integer_letter(type->getIntegerBitWidth(), sign));
  if (type->isHalfTy())
    return make(MangledType::Kind::scalar, "Dh");
  if (type->isFloatTy())
    return make(MangledType::Kind::scalar, "f");
  if (type->isDoubleTy())
    return make(MangledType::Kind::scalar, "d");
  if (type->isVoidTy())
    return make(MangledType::Kind::scalar, "v");
  if (const auto* opaque = llvm::dyn_cast<llvm::TargetExtType>(type)) {
    if (opaque->getName() == "spirv.Event")
      return make(MangledType::Kind::scalar, "9ocl_event");
    if (opaque->getName() == "spirv.ReserveId")
      return make(MangledType::Kind::scalar, "13ocl_reserveid");
  }
  refuse("no builtin function takes an operand of this type");
}

MangledTypeRef Translation::mangled(Word number, Sign sign) const {
  const auto& found = type(number);
  if (found.op != spv::Op::OpTypePointer)
    return mangled(found.llvm, sign);
  require(found.element != 0 && type(found.element).op != spv::Op::OpTypePointer,
          "a builtin function takes pointers to values");
  return mangled_pointer(mangled(found.element, sign), found.llvm->getPointerAddressSpace());
}

MangledTypeRef Translation::mangled_pointer(MangledTypeRef pointee, unsigned space,
                                            llvm::StringRef qualifiers) const {
  std::string text;
  if (space != 0)
    text = "U3AS" + std::to_string(space);
  text += qualifiers;
  if (!text.empty())
    pointee = make(MangledType::Kind::qualified, text, 0, std::move(pointee));
  return make(MangledType::Kind::pointer, "", 0, std::move(pointee));
}

MangledTypeRef mangled_named(llvm::StringRef name) {
  return make(MangledType::Kind::named, std::to_string(name.size()) + name.str());
}

Argument Translation::argument(Word number, Sign sign) {
  auto* found = value(number);
  return {found, mangled(id(number).type, sign)};
}

llvm::CallInst* Translation::call_builtin(llvm::StringRef name, llvm::Type* result,
                                          llvm::ArrayRef<Argument> arguments, Effect effect) {
  MangledName mangled_name;
  mangled_name.function = name.str();
  llvm::SmallVector<llvm::Value*, 6> values;
  for (const auto& argument : arguments) {
    values.push_back(argument.value);
    mangled_name.parameters.push_back(argument.type);
  }
  const auto text = arguments.empty() ? mangled_name.mangle() + "v" : mangled_name.mangle();
  auto* call = call_named(text, result, values, effect);
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (const auto kind = extension(*arguments[i].type); kind != llvm::Attribute::None)
      call->addParamAttr(i, kind);
  return call;
}

llvm::CallInst* Translation::call_named(llvm::StringRef mangled, llvm::Type* result,
                                        llvm::ArrayRef<llvm::Value*> values, Effect effect) {
  llvm::SmallVector<llvm::Type*, 6> types;
  for (auto* value : values)
    types.push_back(value->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  auto*& function = declared[mangled];
  if (function == nullptr) {
    // A function of the module that has this name is not the library's, unless it is imported.
    auto* other = module->getNamedValue(mangled);
    auto* imported = llvm::dyn_cast_or_null<llvm::Function>(other);
    if (imported != nullptr && imported->isDeclaration() && imported->getFunctionType() == type) {
      function = imported;
    } else {
      if (other != nullptr)
        other->setName(mangled + ".cl");
      function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, mangled, *module);
    }
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    function->setConvergent();
    function->setDoesNotThrow();
    if (effect != Effect::any)
      function->addFnAttr(llvm::Attribute::WillReturn);
    if (effect == Effect::none)
      function->setDoesNotAccessMemory();
    else if (effect == Effect::reads)
      function->setOnlyReadsMemory();
  }
  require(function->getFunctionType() == type, "a builtin function has one type");
  auto* call = builder.CreateCall(type, function, values);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  call->setAttributes(
      llvm::AttributeList::get(context, function->getAttributes().getFnAttrs(), {}, {}));
  return call;
}

llvm::Value* Translation::to_bool(llvm::Value* value) {
  return builder.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
}

llvm::Value* Translation::from_bool(llvm::Value* value) {
  return builder.CreateZExt(value, builder.getInt32Ty());
}

} // namespace heddle::compiler::spirv
