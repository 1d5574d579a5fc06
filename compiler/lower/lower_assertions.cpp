// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_assertions.h"

#include "compiler/ir/end_kernel.h"
#include "compiler/support/build.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kWithIds = "__devicelib_assert_fail", kOfC = "__assert_fail";

// Operands of both: expression, file, line, function; then the global and the local id.
enum Operand : unsigned { expression, file, line, function, ids };
constexpr unsigned kIds = 6;

bool has_right_parameters(const llvm::Function& called) {
  const auto& type = *called.getFunctionType();
  const unsigned count = called.getName() == kOfC ? ids : ids + kIds;
  if (!type.getReturnType()->isVoidTy() || type.isVarArg() || type.getNumParams() != count)
    return false;
  for (unsigned i = 0; i < count; ++i)
    if (const bool is_text = i != line && i < ids;
        is_text ? !type.getParamType(i)->isPointerTy() : !type.getParamType(i)->isIntegerTy())
      return false;
  return true;
}

template <class Function>
void for_each_declaration(llvm::Module& module, Function apply) {
  for (const auto name : {kWithIds, kOfC})
    if (auto* found = module.getFunction(name); found != nullptr && found->isDeclaration())
      apply(*found);
}

llvm::Value* id(llvm::IRBuilder<>& builder, llvm::StringRef query, unsigned dimension) {
  auto& module = *builder.GetInsertBlock()->getModule();
  const auto callee = module.getOrInsertFunction(query, builder.getInt64Ty(), builder.getInt32Ty());
  return builder.CreateCall(callee, {builder.getInt32(dimension)});
}

void lower(llvm::CallInst& call) {
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::Value*, 12> values = {
      call.getArgOperand(file),
      builder.CreateZExtOrTrunc(call.getArgOperand(line), builder.getInt32Ty())};
  // SYCL allows it to be null.
  const bool names_function = !llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(function));
  if (names_function)
    values.push_back(call.getArgOperand(function));
  for (unsigned i = 0; i < kIds; ++i)
    if (call.arg_size() > ids)
      values.push_back(
          builder.CreateZExtOrTrunc(call.getArgOperand(ids + i), builder.getInt64Ty()));
    else
      values.push_back(id(builder, i < 3 ? "_Z13get_global_idj" : "_Z12get_local_idj", i % 3));
  values.push_back(call.getArgOperand(expression));
  end_kernel(builder,
             std::string(names_function ? "%s:%u: %s: " : "%s:%u: ") +
                 "global id: [%lu,%lu,%lu], local id: [%lu,%lu,%lu] Assertion `%s` failed.",
             values);
  call.eraseFromParent();
}

} // namespace

bool is_assertion_function(llvm::StringRef name) { return name == kWithIds || name == kOfC; }

bool check_assertions(const llvm::Module& module, Build& build) {
  bool ok = true;
  for_each_declaration(const_cast<llvm::Module&>(module), [&](const llvm::Function& called) {
    const bool is_called_only = llvm::all_of(called.users(), [&](const llvm::User* user) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      return call != nullptr && call->getCalledOperand() == &called &&
             call->getFunctionType() == called.getFunctionType();
    });
    if (!is_called_only || !has_right_parameters(called))
      ok = build.error("'" + called.getName() +
                       "' is not declared or not used as the function that failed assertions call");
  });
  return ok;
}

llvm::PreservedAnalyses LowerAssertionsPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& /*analyses*/) {
  for_each_declaration(module, [](llvm::Function& called) {
    for (auto* user : llvm::make_early_inc_range(called.users()))
      lower(*llvm::cast<llvm::CallInst>(user));
    called.eraseFromParent();
  });
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
