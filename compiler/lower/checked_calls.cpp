// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/checked_calls.h"

#include "compiler/ir/address_space.h"
#include "compiler/ir/mangled_name.h"
#include "compiler/ir/unchecked_functions.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/ModRef.h"

namespace heddle::compiler {
namespace {

using abi::CheckedCall;

// The size in memory of a gentype by its mangled letters. A vector of three has the size of one of
// four.
std::uint64_t bytes_of(const MangledType& type) {
  using Kind = MangledType::Kind;
  if (type.kind == Kind::pointer || type.kind == Kind::qualified)
    return bytes_of(*type.inner);
  if (type.kind == Kind::vector)
    return bytes_of(*type.inner) * (type.lanes == 3 ? 4 : type.lanes);
  return llvm::StringSwitch<std::uint64_t>(type.text)
      .Cases({"c", "h", "a"}, 1)
      .Cases({"s", "t", "Dh"}, 2)
      .Cases({"i", "j", "f"}, 4)
      .Cases({"l", "m", "d"}, 8)
      .Default(0);
}

} // namespace

std::optional<CheckedCopy> checked_copy(const llvm::Function& function) {
  if (!function.getName().contains("async_work_group_"))
    return std::nullopt;
  const auto name = MangledName::parse(function.getName());
  if (!name || name->parameters.empty())
    return std::nullopt;
  const auto is = [&](CheckedCall call) {
    return name->function == abi::kCheckedCalls[static_cast<unsigned>(call)].name;
  };
  for (const auto call : {CheckedCall::copy_2d, CheckedCall::copy_3d})
    if (is(call))
      return CheckedCopy{call, 0};
  const auto bytes = bytes_of(*name->parameters[0]);
  if (is(CheckedCall::copy))
    return CheckedCopy{CheckedCall::copy, bytes};
  const bool to_local = function.getArg(0)->getType()->isPointerTy() &&
                        function.getArg(0)->getType()->getPointerAddressSpace() == kLocal;
  if (is(CheckedCall::gather))
    return CheckedCopy{to_local ? CheckedCall::gather : CheckedCall::scatter, bytes};
  return std::nullopt;
}

CheckedCall checked_call(const llvm::CallInst& check) {
  return static_cast<CheckedCall>(
      llvm::cast<llvm::ConstantInt>(check.getArgOperand(kCheckedCall))->getZExtValue());
}

llvm::FunctionCallee check_function(llvm::Module& module) {
  auto& context = module.getContext();
  return module.getOrInsertFunction(kCheckFunction,
                                    llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                                            {llvm::Type::getInt32Ty(context),
                                                             llvm::PointerType::getUnqual(context)},
                                                            true));
}

CheckCalls::CheckCalls(llvm::Module& module) : module_(module), function_(check_function(module)) {}

llvm::Constant* CheckCalls::text(const std::string& text) {
  auto& known = texts_[text];
  if (known == nullptr) {
    auto* bytes = llvm::ConstantDataArray::getString(module_.getContext(), text);
    auto* variable = new llvm::GlobalVariable(
        module_, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes, "heddle.place",
        nullptr, llvm::GlobalValue::NotThreadLocal, /*AddressSpace=*/0);
    variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    variable->setAlignment(llvm::Align(1));
    known = variable;
  }
  return known;
}

llvm::Constant* CheckCalls::place(const llvm::Instruction& instruction) {
  const auto found = place_of(instruction);
  const auto* function = subprogram_of(instruction);
  auto joined = found.file + ":" + std::to_string(found.line);
  joined += '\0';
  joined += function != nullptr ? function->getName() : "";
  joined += '\0';
  joined += unchecked_by(module_, function);
  return text(joined);
}

void CheckCalls::insert(CheckedCall what, llvm::ArrayRef<llvm::Value*> operands,
                        llvm::Instruction& before, Place where) {
  auto* unknown =
      llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(module_.getContext()));
  insert(what, where == Place::here ? *place(before) : *unknown, operands, before);
}

void CheckCalls::insert(CheckedCall what, llvm::Value& place, llvm::ArrayRef<llvm::Value*> operands,
                        llvm::Instruction& before) {
  llvm::IRBuilder<> builder(&before);
  builder.SetCurrentDebugLocation(before.getDebugLoc());
  llvm::SmallVector<llvm::Value*, 16> all{builder.getInt32(static_cast<std::uint32_t>(what)),
                                          &place};
  all.append(operands.begin(), operands.end());
  auto* call = builder.CreateCall(function_, all);
  call->setDoesNotThrow();
  // The program's own accesses may move across those of the checks.
  if (what >= CheckedCall::ordered_load && what <= CheckedCall::ordered_atomic) {
    call->addFnAttr(llvm::Attribute::WillReturn);
    call->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  }
}

} // namespace heddle::compiler
