// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/check_assembly.h"

#include "compiler/codegen/codegen.h"
#include "compiler/support/build.h"
#include "compiler/target/target.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

namespace heddle::compiler {
namespace {

// One call of each assembly: its operands are of one type, and constant where that is asked for.
llvm::SmallVector<const llvm::CallInst*, 4> calls_of_assembly(const llvm::Module& module) {
  llvm::SmallVector<const llvm::CallInst*, 4> calls;
  llvm::SmallPtrSet<const llvm::Value*, 4> seen;
  for (const auto& function : module)
    for (const auto& instruction : llvm::instructions(function))
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call != nullptr && call->isInlineAsm() && seen.insert(call->getCalledOperand()).second)
        calls.push_back(call);
  return calls;
}

// A function with the operands as parameters, which makes the call.
void add_probe(const llvm::CallInst& call, llvm::Module& probe) {
  auto* type = call.getFunctionType();
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "probe", probe);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(probe.getContext(), "", function));
  llvm::SmallVector<llvm::Value*, 8> operands;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    auto* operand = call.getArgOperand(i);
    const bool is_number = llvm::isa<llvm::ConstantInt, llvm::ConstantFP>(operand);
    operands.push_back(is_number ? operand : static_cast<llvm::Value*>(function->getArg(i)));
  }
  auto* made = builder.CreateCall(type, call.getCalledOperand(), operands);
  made->setAttributes(call.getAttributes());
  if (type->getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(made);
}

} // namespace

bool check_assembly(const llvm::Module& module, Build& build) {
  const auto calls = calls_of_assembly(module);
  if (calls.empty())
    return true;
  const llvm::StringRef cpu = build.request.cpu != nullptr ? build.request.cpu : "native";
  const auto target = take_target_machine(find_cpu(cpu), llvm::CodeGenOptLevel::None);
  if (!target)
    return build.error("unknown CPU '" + cpu + "'");
  llvm::Module probe("assembly", build.context);
  probe.setTargetTriple(target->getTargetTriple());
  probe.setDataLayout(target->createDataLayout());
  for (const auto* call : calls)
    add_probe(*call, probe);
  llvm::SmallVector<char, 0> object;
  Kernels none;
  return generate_code(probe, *target, build, none, object);
}

} // namespace heddle::compiler
