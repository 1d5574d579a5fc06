// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/vector_forms.h"

#include "compiler/ir/vectorized_attribute.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/inline_policy.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/emit/emitter.h"
#include "compiler/vectorize/transform/canonicalize.h"
#include "compiler/x86/lower_target_math.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace heddle::compiler {
namespace {

// On a function that has forms.
constexpr llvm::StringLiteral kHasForm = "heddle-has-vector-form";
// On a form: the function's name, and the lanes.
constexpr llvm::StringLiteral kFormOf = "heddle-vector-form-of";
constexpr llvm::StringLiteral kFormLanes = "heddle-vector-form-lanes";

bool reads_constant(const llvm::LoadInst& load) {
  const auto* table =
      llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(load.getPointerOperand()));
  return load.isSimple() && table != nullptr && table->isConstant();
}

bool depends_on_numbers_only(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return reads_constant(*load);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    const auto* callee = call->getCalledFunction();
    if (callee == nullptr)
      return false;
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call))
      return llvm::isa<llvm::DbgInfoIntrinsic, llvm::AssumeInst>(intrinsic) ||
             (intrinsic->doesNotAccessMemory() && intrinsic->willReturn());
    return is_target_math(*callee) || has_vector_form(*callee);
  }
  return !llvm::isa<llvm::AllocaInst, llvm::IndirectBrInst, llvm::UnreachableInst>(instruction) &&
         !instruction.mayReadOrWriteMemory();
}

bool may_have_form(const llvm::Function& function) {
  return !function.isDeclaration() && is_function_of_numbers(function) &&
         !has_work_item_params(function) && !is_kept_out_of_line(function) &&
         llvm::all_of(llvm::instructions(function), depends_on_numbers_only);
}

bool has_loops(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  return !llvm::LoopInfo(dominators).empty();
}

// The function as a kernel whose work-items read its arguments from arrays, and store its result.
llvm::Function& make_kernel(llvm::Function& function) {
  auto& context = function.getContext();
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* number = llvm::Type::getInt64Ty(context);
  llvm::SmallVector<llvm::Type*, 8> types(function.arg_size() + 1, pointer);
  types.append({pointer, number, number, number}); // the work-item parameters
  auto* kernel = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
      llvm::GlobalValue::InternalLinkage, function.getName() + ".items", function.getParent());
  kernel->addFnAttr(kWorkItemParamsAttribute);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", kernel));
  auto* item = work_item_params(*kernel).local_id[0];
  const auto element = [&](unsigned array, llvm::Type* type) {
    return builder.CreateInBoundsGEP(type, kernel->getArg(array), item);
  };
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (const auto& argument : function.args())
    arguments.push_back(
        builder.CreateLoad(argument.getType(), element(argument.getArgNo(), argument.getType())));
  auto* call = builder.CreateCall(&function, arguments);
  call->setCallingConv(function.getCallingConv());
  builder.CreateStore(
      call, element(static_cast<unsigned>(function.arg_size()), function.getReturnType()));
  builder.CreateRetVoid();
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*call, info);
  llvm::stripDebugInfo(*kernel);
  return *kernel;
}

void simplify(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.run(function, analyses);
}

// Passes the form's vectors to `variant` through memory, which SROAPass removes.
void call_variant(llvm::Function& form, llvm::Function& variant) {
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(form.getContext(), "", &form));
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (auto& argument : form.args())
    arguments.push_back(builder.CreateAlloca(argument.getType()));
  auto* result = builder.CreateAlloca(form.getReturnType());
  for (auto& argument : form.args())
    builder.CreateStore(&argument, arguments[argument.getArgNo()]);
  arguments.push_back(result);
  arguments.push_back(llvm::ConstantPointerNull::get(builder.getPtrTy())); // it uses no group
  arguments.append(3, builder.getInt64(0));
  auto* call = builder.CreateCall(&variant, arguments);
  builder.CreateRet(builder.CreateLoad(form.getReturnType(), result));
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*call, info);
}

} // namespace

bool has_vector_form(const llvm::Function& function) { return function.hasFnAttribute(kHasForm); }

bool returns_for_any_values(const llvm::Function& function) {
  return function.hasFnAttribute(llvm::Attribute::WillReturn);
}

llvm::Function* vector_form(llvm::Function& function, unsigned width) {
  const auto lanes = llvm::Twine(width).str();
  llvm::SmallVector<llvm::Type*, 4> types;
  for (auto* type : function.getFunctionType()->params())
    types.push_back(llvm::FixedVectorType::get(type, width));
  auto* type = llvm::FunctionType::get(llvm::FixedVectorType::get(function.getReturnType(), width),
                                       types, false);
  auto* form = llvm::cast<llvm::Function>(
      function.getParent()
          ->getOrInsertFunction((function.getName() + ".lanes" + lanes).str(), type)
          .getCallee());
  form->addFnAttr(kFormOf, function.getName());
  form->addFnAttr(kFormLanes, lanes);
  form->addFnAttr(llvm::Attribute::NoInline);
  form->setDoesNotAccessMemory();
  form->setDoesNotThrow();
  if (returns_for_any_values(function))
    form->setWillReturn();
  return form;
}

llvm::PreservedAnalyses MarkVectorFormsPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& /*analyses*/) {
  // Callees before their callers; recursive functions never.
  for (bool changes = true; changes;) {
    changes = false;
    for (auto& function : module)
      if (!has_vector_form(function) && may_have_form(function)) {
        function.addFnAttr(kHasForm);
        function.setDoesNotAccessMemory();
        function.setDoesNotThrow();
        // Otherwise as the source declares, of math functions with rare loops.
        if (!has_loops(function) && llvm::all_of(llvm::instructions(function), [](const auto& i) {
              const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
              return call == nullptr || call->hasFnAttr(llvm::Attribute::WillReturn);
            }))
          function.setWillReturn();
        changes = true;
      }
  }
  return llvm::PreservedAnalyses::none();
}

void EmitVectorFormsPass::define(llvm::Function& form, llvm::FunctionAnalysisManager& analyses) {
  VectorPlan plan;
  form.getFnAttribute(kFormLanes).getValueAsString().getAsInteger(10, plan.width);
  plan.has_gathers = compilation_.target_info.has_avx512;
  plan.has_masked_accesses = compilation_.target_info.has_avx2;
  auto& function = *form.getParent()->getFunction(form.getFnAttribute(kFormOf).getValueAsString());
  auto& kernel = make_kernel(function);
  simplify(kernel, analyses);
  canonicalize(kernel, plan.width, analyses);
  Analyses now(kernel, plan);
  const Linearization order(kernel, now.shapes, now.loops, now.dominators);
  auto* variant = Emitter({kernel, plan, now.shapes, order, now.loops, nullptr, nullptr})
                      .run(form.getName() + ".whole");
  call_variant(form, *variant);
  form.setLinkage(llvm::GlobalValue::InternalLinkage);
  form.addFnAttr(kVectorizedAttribute);
  analyses.clear(kernel, kernel.getName());
  variant->eraseFromParent();
  kernel.eraseFromParent();
}

llvm::PreservedAnalyses EmitVectorFormsPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& analyses) {
  auto& functions =
      analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  // A form may call others.
  for (bool changes = true; changes;) {
    llvm::SmallVector<llvm::Function*, 4> forms;
    for (auto& function : module)
      if (function.isDeclaration() && function.hasFnAttribute(kFormOf))
        forms.push_back(&function);
    for (auto* form : forms)
      define(*form, functions);
    changes = !forms.empty();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
