// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/define_forms.h"

#include "compiler/ir/vectorized_attribute.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/analysis/vector_value.h"
#include "compiler/vectorize/emit/code_limits.h"
#include "compiler/vectorize/emit/emitter.h"
#include "compiler/vectorize/emit/vector_forms.h"
#include "compiler/vectorize/transform/canonicalize.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace heddle::compiler {
namespace {

// Bits are not addressable.
llvm::Type* memory_type(llvm::Type* type) {
  return type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
}

unsigned result_components(const llvm::Function& function) {
  return function.getReturnType()->isVoidTy() ? 0 : component_count(function.getReturnType());
}

// Builds a function as a kernel whose work-items are the lanes of a form: they read what differs
// between them, and whether they are active, from arrays, and store their results to arrays. There
// is one for each component.
class FormKernel {
 public:
  FormKernel(llvm::Function& function, const FormShape& shape)
      : function_(function), shape_(shape), builder_(function.getContext()) {}

  llvm::Function& build() {
    kernel_ = llvm::Function::Create(type(), llvm::GlobalValue::InternalLinkage,
                                     function_.getName() + ".items", function_.getParent());
    kernel_->addFnAttr(kWorkItemParamsAttribute);
    kernel_->addFnAttr(llvm::Attribute::NoUnwind);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(function_.getContext(), "", kernel_));
    item_ = work_item_params(*kernel_).local_id[0];
    llvm::SmallVector<llvm::Value*, 8> arguments;
    for (const auto& argument : function_.args())
      arguments.push_back(argument_of_item(argument));
    auto* inactive =
        shape_.masked ? llvm::BasicBlock::Create(function_.getContext(), "", kernel_) : nullptr;
    if (shape_.masked) {
      auto* active = llvm::BasicBlock::Create(function_.getContext(), "", kernel_, inactive);
      auto* is_active =
          builder_.CreateTrunc(load_element(builder_.getInt8Ty()), builder_.getInt1Ty());
      builder_.CreateCondBr(is_active, active, inactive);
      builder_.SetInsertPoint(active);
    }
    auto* call = builder_.CreateCall(&function_, arguments);
    call->setCallingConv(function_.getCallingConv());
    call->setAttributes(function_.getAttributes().removeFnAttributes(function_.getContext()));
    store_result(*call);
    if (inactive != nullptr) {
      builder_.CreateBr(inactive);
      builder_.SetInsertPoint(inactive);
    }
    builder_.CreateRetVoid();
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
    llvm::stripDebugInfo(*kernel_);
    return *kernel_;
  }

 private:
  llvm::FunctionType* type() {
    llvm::SmallVector<llvm::Type*, 16> types;
    auto* array = builder_.getPtrTy();
    for (const auto& argument : function_.args())
      if (how(argument).kind == FormArgument::Kind::lanes)
        types.append(component_count(argument.getType()), array);
      else
        types.push_back(argument.getType());
    if (shape_.masked)
      types.push_back(array);
    types.append(result_components(function_), array);
    types.push_back(array); // the work-item parameters
    types.append(3, builder_.getInt64Ty());
    return llvm::FunctionType::get(builder_.getVoidTy(), types, false);
  }

  const FormArgument& how(const llvm::Argument& argument) const {
    return shape_.arguments[argument.getArgNo()];
  }

  llvm::Value* next_element(llvm::Type* type) {
    return builder_.CreateInBoundsGEP(type, kernel_->getArg(next_++), item_);
  }
  llvm::Value* load_element(llvm::Type* type) {
    auto* address = next_element(memory_type(type));
    auto* loaded = builder_.CreateLoad(memory_type(type), address);
    return type->isIntegerTy(1) ? builder_.CreateTrunc(loaded, type) : loaded;
  }

  llvm::Value* argument_of_item(const llvm::Argument& argument) {
    auto* type = argument.getType();
    switch (how(argument).kind) {
    case FormArgument::Kind::uniform:
      return kernel_->getArg(next_++);
    case FormArgument::Kind::strided: {
      auto* first = kernel_->getArg(next_++);
      auto* distance = builder_.CreateMul(
          item_, llvm::ConstantInt::getSigned(item_->getType(), how(argument).stride));
      return type->isPointerTy() ? builder_.CreateGEP(builder_.getInt8Ty(), first, distance)
                                 : builder_.CreateAdd(first, builder_.CreateTrunc(distance, type));
    }
    case FormArgument::Kind::lanes:
      return build_value(type);
    }
    llvm_unreachable("a kind of argument");
  }

  // A value whose components are elements of the next arrays.
  llvm::Value* build_value(llvm::Type* type) {
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
      llvm::Value* built = llvm::PoisonValue::get(type);
      for (unsigned i = 0; i < vector->getNumElements(); ++i)
        built = builder_.CreateInsertElement(built, load_element(vector->getElementType()), i);
      return built;
    }
    if (!type->isAggregateType())
      return load_element(type);
    llvm::Value* built = llvm::PoisonValue::get(type);
    const auto members = type->isArrayTy() ? static_cast<unsigned>(type->getArrayNumElements())
                                           : type->getStructNumElements();
    for (unsigned i = 0; i < members; ++i)
      built = builder_.CreateInsertValue(
          built, build_value(llvm::GetElementPtrInst::getTypeAtIndex(type, std::uint64_t{i})), i);
    return built;
  }

  // Stores the components of a value to elements of the next arrays.
  void store_value(llvm::Value* value) {
    auto* type = value->getType();
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
      for (unsigned i = 0; i < vector->getNumElements(); ++i)
        store_value(builder_.CreateExtractElement(value, i));
      return;
    }
    if (!type->isAggregateType()) {
      auto* stored = type->isIntegerTy(1) ? builder_.CreateZExt(value, memory_type(type)) : value;
      builder_.CreateStore(stored, next_element(memory_type(type)));
      return;
    }
    const auto members = type->isArrayTy() ? static_cast<unsigned>(type->getArrayNumElements())
                                           : type->getStructNumElements();
    for (unsigned i = 0; i < members; ++i)
      store_value(builder_.CreateExtractValue(value, i));
  }
  void store_result(llvm::CallInst& call) {
    if (!call.getType()->isVoidTy())
      store_value(&call);
  }

  llvm::Function& function_;
  const FormShape& shape_;
  llvm::IRBuilder<> builder_;
  llvm::Function* kernel_ = nullptr;
  llvm::Value* item_ = nullptr;
  unsigned next_ = 0; // parameter of the kernel
};

void simplify(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.run(function, analyses);
}

// Passes the form's vectors to `variant` through memory, which SROAPass removes.
void call_variant(llvm::Function& form, llvm::Function& variant, const FormOf& of) {
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(form.getContext(), "", &form));
  llvm::SmallVector<llvm::Value*, 8> arguments;
  const auto in_memory = [&](llvm::Type* type) -> llvm::Type* {
    return llvm::FixedVectorType::get(memory_type(type->getScalarType()), of.shape.width);
  };
  const auto add_uniform = [&](llvm::Argument& argument) { arguments.push_back(&argument); };
  const auto add_array = [&](llvm::Argument& argument) {
    auto* array = builder.CreateAlloca(in_memory(argument.getType()));
    builder.CreateStore(array->getAllocatedType() == argument.getType()
                            ? static_cast<llvm::Value*>(&argument)
                            : builder.CreateZExt(&argument, array->getAllocatedType()),
                        array);
    arguments.push_back(array);
  };
  unsigned next = 0;
  for (const auto& argument : of.function->args()) {
    const bool is_scalar =
        of.shape.arguments[argument.getArgNo()].kind != FormArgument::Kind::lanes;
    const auto parts = is_scalar ? 1 : component_count(argument.getType());
    for (unsigned i = 0; i < parts; ++i, ++next)
      is_scalar ? add_uniform(*form.getArg(next)) : add_array(*form.getArg(next));
  }
  if (of.shape.masked)
    add_array(*form.getArg(next));
  llvm::SmallVector<llvm::AllocaInst*, 4> results;
  const auto components = result_components(*of.function);
  for (unsigned i = 0; i < components; ++i) {
    results.push_back(
        builder.CreateAlloca(in_memory(component_type(of.function->getReturnType(), i))));
    arguments.push_back(results.back());
  }
  arguments.push_back(llvm::ConstantPointerNull::get(builder.getPtrTy())); // it uses no group
  arguments.append(3, builder.getInt64(0));
  auto* call = builder.CreateCall(&variant, arguments);
  const auto load = [&](unsigned i) -> llvm::Value* {
    auto* loaded = builder.CreateLoad(results[i]->getAllocatedType(), results[i]);
    auto* type =
        llvm::FixedVectorType::get(component_type(of.function->getReturnType(), i), of.shape.width);
    return loaded->getType() == type ? static_cast<llvm::Value*>(loaded)
                                     : builder.CreateTrunc(loaded, type);
  };
  if (components == 0) {
    builder.CreateRetVoid();
  } else if (components == 1) {
    builder.CreateRet(load(0));
  } else {
    llvm::Value* all = llvm::PoisonValue::get(form.getReturnType());
    for (unsigned i = 0; i < components; ++i)
      all = builder.CreateInsertValue(all, load(i), i);
    builder.CreateRet(all);
  }
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*call, info);
}

} // namespace

void EmitVectorFormsPass::define(llvm::Function& form, llvm::FunctionAnalysisManager& analyses) {
  const auto of = *form_of(form);
  auto& function = *of.function;
  VectorPlan plan;
  plan.width = of.shape.width;
  plan.exact_ids = true;
  plan.has_gathers = compilation_.target_info.has_gathers;
  plan.has_masked_accesses = compilation_.target_info.has_masked_accesses;
  plan.permutes = compilation_.target_info.permutes;
  plan.has_slow_scatters = compilation_.target_info.has_slow_scatters;
  auto& kernel = FormKernel(function, of.shape).build();
  simplify(kernel, analyses);
  if (has_masked_form(function))
    simplification_.run(kernel, analyses);
  canonicalize(kernel, plan.width, analyses);
  Analyses now(kernel, plan);
  const Linearization order(kernel, now.shapes, now.loops, now.dominators);
  auto* variant = Emitter({kernel, plan, now.shapes, order, now.loops, nullptr, nullptr})
                      .run(form.getName() + ".whole");
  if (has_masked_form(function)) {
    instructions_ += variant->getInstructionCount();
    if (const auto excess =
            find_excess_of_form(*variant, kernel, plan.width, compilation_.is_first()))
      compilation_.excess[function.getName()] = *excess;
  }
  call_variant(form, *variant, of);
  form.setLinkage(llvm::GlobalValue::InternalLinkage);
  form.addFnAttr(kVectorizedAttribute);
  analyses.clear(kernel, kernel.getName());
  variant->eraseFromParent();
  kernel.eraseFromParent();
}

void EmitVectorFormsPass::give_up(llvm::Module& module) {
  for (const auto& function : module)
    if (has_masked_form(function))
      compilation_.excess[function.getName()] = {function.getInstructionCount(), 1};
}

llvm::PreservedAnalyses EmitVectorFormsPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& analyses) {
  auto& functions =
      analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  // A form may call others. Those of variants that were not kept are not needed.
  for (bool changes = true; changes;) {
    changes = false;
    llvm::SmallVector<llvm::Function*, 4> forms;
    for (auto& function : module)
      if (function.isDeclaration() && form_of(function))
        forms.push_back(&function);
    for (auto* form : forms) {
      changes = true;
      if (form->use_empty())
        form->eraseFromParent();
      else
        define(*form, functions);
    }
    if (are_too_many_forms(instructions_, compilation_.is_first())) {
      give_up(module);
      break;
    }
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
