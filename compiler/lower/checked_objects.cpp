// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/checked_objects.h"

#include "compiler/ir/address_space.h"
#include "compiler/lower/lower_local_variables.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ModRef.h"

namespace heddle::compiler {
namespace {

// The attribute of a constant, and the metadata of an alloca: the name in the source.
constexpr llvm::StringLiteral kObject = "heddle.object";
constexpr llvm::StringLiteral kProgramVariable =
    "heddle.program_variable"; // (address, offset, bytes)
constexpr llvm::StringLiteral kCheck = "heddle.check_object";
constexpr llvm::StringLiteral kProgramFunction = "heddle-program-function";

// Clang's names are "FUNCTION.NAME" and "__const.FUNCTION.NAME" in functions, and mangled in C++.
std::string source_name(llvm::StringRef name) {
  if (!name.starts_with("_Z"))
    return name.substr(name.rfind('.') + 1).str();
  const auto scoped = llvm::demangle(name);
  return scoped.substr(scoped.rfind(':') + 1);
}

std::string quoted(llvm::StringRef kind, llvm::StringRef name) {
  return ("the " + kind + " variable" + (name.empty() ? "" : " '" + name + "'")).str();
}

std::uint64_t number(const llvm::CallInst& call, unsigned argument) {
  return llvm::cast<llvm::ConstantInt>(call.getArgOperand(argument))->getZExtValue();
}

// By its offset in the memory that its kind of variables has; null: it is the library's.
const CheckedVariable* find_variable(const Kernel& kernel, bool is_local, std::uint64_t offset) {
  const auto& variables = kernel.metadata.variables;
  const auto found = llvm::find_if(variables, [&](const CheckedVariable& variable) {
    return variable.is_local == is_local && variable.offset == offset;
  });
  return found != variables.end() ? &*found : nullptr;
}

const llvm::CallInst* call_of(const llvm::Value& value, llvm::StringRef name) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && callee->getName() == name ? call : nullptr;
}

// Of a private variable in the source, also of the copy of a parameter.
std::string private_name(llvm::StringRef name) {
  name.consume_back(".addr");
  return name.str();
}

} // namespace

std::optional<CheckedObject> object_at(llvm::Value& address, const Kernel* kernel) {
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&address)) {
    const auto* name = variable->getMetadata(kObject);
    const auto bytes = variable->getAllocationSize(variable->getDataLayout());
    if (name == nullptr || !bytes || bytes->isScalable())
      return std::nullopt;
    return CheckedObject{
        &address, bytes->getFixedValue(),
        quoted("private", llvm::cast<llvm::MDString>(name->getOperand(0))->getString())};
  }
  if (auto* constant = llvm::dyn_cast<llvm::GlobalVariable>(&address)) {
    const auto name = constant->getAttribute(kObject);
    if (!name.isValid())
      return std::nullopt;
    return CheckedObject{
        &address, constant->getDataLayout().getTypeAllocSize(constant->getValueType()),
        quoted(constant->getName().starts_with("__const.") ? "private" : "constant",
               name.getValueAsString())};
  }
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&address);
      argument != nullptr && kernel == nullptr && argument->hasByValAttr() &&
      has_checked_objects(*argument->getParent()))
    return CheckedObject{
        &address,
        argument->getParent()->getDataLayout().getTypeAllocSize(argument->getParamByValType()),
        quoted("private", private_name(argument->getName()))};
  if (kernel == nullptr)
    return std::nullopt;
  if (const auto* call = call_of(address, kProgramVariable))
    if (const auto* variable = find_variable(*kernel, false, number(*call, 1)))
      return CheckedObject{&address, variable->bytes,
                           quoted("program-scope", source_name(variable->name))};
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&address);
      call != nullptr && is_local_variable(*call))
    if (const auto* variable = find_variable(*kernel, true, number(*call, 1)))
      return CheckedObject{&address, variable->bytes, quoted("local", variable->name)};
  return std::nullopt;
}

llvm::Constant* any_object_descriptor(CheckCalls& calls) {
  return object_descriptor(calls, {nullptr, 2 * kOffsetInAnyObject, "unknown memory"});
}

llvm::Constant* object_descriptor(CheckCalls& calls, const CheckedObject& object) {
  auto& module = calls.module();
  auto& context = module.getContext();
  auto* bytes = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), object.bytes);
  const auto name = (kObject + "." + object.what + "." + llvm::Twine(object.bytes)).str();
  if (auto* known = module.getGlobalVariable(name, /*AllowInternal=*/true))
    return known;
  auto* value = llvm::ConstantStruct::getAnon({bytes, calls.text(object.what)});
  return new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                  value, name, nullptr, llvm::GlobalValue::NotThreadLocal,
                                  /*AddressSpace=*/0);
}

std::uint64_t object_bytes(const llvm::Value& descriptor) {
  const auto* known = llvm::dyn_cast<llvm::GlobalVariable>(&descriptor);
  return known == nullptr
             ? 0
             : llvm::cast<llvm::ConstantInt>(known->getInitializer()->getAggregateElement(0U))
                   ->getZExtValue();
}

void mark_objects(llvm::Module& module) {
  auto& context = module.getContext();
  for (auto& variable : module.globals())
    if (variable.getAddressSpace() == kConstant && variable.hasInitializer() &&
        !variable.getName().starts_with("llvm."))
      variable.addAttribute(
          kObject, variable.getName().starts_with(".str") ? "" : source_name(variable.getName()));
  for (auto& function : module) {
    if (!function.isDeclaration())
      function.addFnAttr(kProgramFunction);
    for (auto& instruction : llvm::instructions(function))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        variable->setMetadata(
            kObject, llvm::MDNode::get(
                         context, llvm::MDString::get(context, private_name(variable->getName()))));
  }
}

bool has_checked_objects(const llvm::Function& function) {
  return function.hasFnAttribute(kProgramFunction) &&
         (llvm::any_of(function.getFunctionType()->params(),
                       [](const llvm::Type* type) { return type->isPointerTy(); }) ||
          llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
            return llvm::isa<llvm::AllocaInst>(instruction) && instruction.hasMetadata(kObject);
          }));
}

std::optional<CheckedObject> find_object(const llvm::Value& pointer, const Kernel* kernel) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(&pointer, objects, nullptr, 0);
  if (objects.size() != 1)
    return std::nullopt;
  return object_at(*const_cast<llvm::Value*>(objects.front()), kernel);
}

llvm::Value* create_program_variable(llvm::IRBuilderBase& builder, llvm::Value& address,
                                     std::uint64_t offset, std::uint64_t bytes, llvm::Align align) {
  auto* word = builder.getInt64Ty();
  auto* type = llvm::FunctionType::get(address.getType(), {address.getType(), word, word}, false);
  auto function =
      builder.GetInsertBlock()->getModule()->getOrInsertFunction(kProgramVariable, type);
  auto* declaration = llvm::cast<llvm::Function>(function.getCallee());
  declaration->setDoesNotAccessMemory();
  declaration->setDoesNotThrow();
  declaration->setWillReturn();
  declaration->addFnAttr(llvm::Attribute::Speculatable);
  auto* call =
      builder.CreateCall(function, {&address, builder.getInt64(offset), builder.getInt64(bytes)});
  call->addRetAttr(llvm::Attribute::getWithAlignment(builder.getContext(), align));
  return call;
}

bool is_program_variable(const llvm::Value& value) {
  return call_of(value, kProgramVariable) != nullptr;
}

void lower_program_variables(llvm::Module& module) {
  auto* function = module.getFunction(kProgramVariable);
  if (function == nullptr)
    return;
  for (auto* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

void create_object_check(llvm::IRBuilderBase& builder, CheckCalls& calls, abi::CheckedCall kind,
                         llvm::Constant& place, llvm::Value& object, llvm::Value& offset,
                         llvm::Value& bytes) {
  auto* word = builder.getInt64Ty();
  auto* pointer = builder.getPtrTy();
  auto function = calls.module().getOrInsertFunction(
      kCheck, llvm::FunctionType::get(builder.getVoidTy(),
                                      {builder.getInt32Ty(), pointer, pointer, word, word}, false));
  auto* call =
      builder.CreateCall(function, {builder.getInt32(static_cast<std::uint32_t>(kind)), &place,
                                    &object, &offset, builder.CreateZExtOrTrunc(&bytes, word)});
  call->setDoesNotThrow();
  // It may end the kernel, but changes nothing of the program's.
  call->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
}

std::optional<ObjectCheck> object_check(const llvm::Instruction& instruction) {
  const auto* call = call_of(instruction, kCheck);
  if (call == nullptr)
    return std::nullopt;
  auto* object = call->getArgOperand(2);
  return ObjectCheck{static_cast<abi::CheckedCall>(number(*call, 0)),
                     llvm::cast<llvm::Constant>(call->getArgOperand(1)),
                     object,
                     object_bytes(*object),
                     call->getArgOperand(3),
                     call->getArgOperand(4)};
}

bool is_object_check(llvm::StringRef function) { return function == kCheck; }

} // namespace heddle::compiler
