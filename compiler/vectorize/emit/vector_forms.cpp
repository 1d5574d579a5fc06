// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/vector_forms.h"

#include "compiler/ir/bounds_check.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/inline_policy.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/target/lower_target_math.h"
#include "compiler/vectorize/analysis/vector_value.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

// On a function that has forms.
constexpr llvm::StringLiteral kHasForm = "heddle-has-vector-form";
constexpr llvm::StringLiteral kHasMaskedForm = "heddle-has-masked-form";
// On a form: the function's name, and FormShape::text().
constexpr llvm::StringLiteral kFormOf = "heddle-vector-form-of";
constexpr llvm::StringLiteral kFormShape = "heddle-vector-form-shape";

// Instructions of all functions of a program whose forms take masks: there may be several of each.
constexpr unsigned kMaxInstructions = 15'000;
// Forms of one function, beside the one for lanes of any arguments.
constexpr unsigned kMaxForms = 4;
// Components of an argument or result.
constexpr unsigned kMaxComponents = 16;

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

// Whether the lanes may execute the instruction of a called function together.
bool may_run_for_lanes(const llvm::Instruction& instruction) {
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return variable->isStaticAlloca();
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr)
    return !llvm::isa<llvm::IndirectBrInst, llvm::VAArgInst>(instruction);
  const auto* callee = call->getCalledFunction();
  if (!llvm::isa<llvm::CallInst>(call) || callee == nullptr || is_barrier(instruction) ||
      is_yield(instruction) || subgroup_intrinsic(*call) || is_bounds_check(instruction))
    return false;
  return llvm::isa<llvm::IntrinsicInst>(call) || is_target_math(*callee) ||
         is_kept_out_of_line(*callee) || has_vector_form(*callee) || has_masked_form(*callee);
}

// Whether each component of a value fits the elements of a vector in memory.
bool has_components_of_lanes(llvm::Type* type) {
  if (component_count(type) > kMaxComponents)
    return false;
  for (unsigned i = 0; i < component_count(type); ++i) {
    auto* part = component_type(type, i);
    const auto bits = part->isIntegerTy() ? part->getIntegerBitWidth() : 0;
    if (!part->isPointerTy() && !part->isHalfTy() && !part->isFloatTy() && !part->isDoubleTy() &&
        bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
      return false;
  }
  return true;
}

bool is_only_called(const llvm::Function& function) {
  return llvm::all_of(function.uses(), [](const llvm::Use& use) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    return call != nullptr && call->isCallee(&use);
  });
}

bool may_have_masked_form(const llvm::Function& function) {
  return !function.isDeclaration() && function.hasLocalLinkage() && !function.isVarArg() &&
         !function.hasOptNone() && is_only_called(function) && !is_kept_out_of_line(function) &&
         !has_vector_form(function) &&
         (function.getReturnType()->isVoidTy() ||
          has_components_of_lanes(function.getReturnType())) &&
         llvm::all_of(function.getFunctionType()->params(), has_components_of_lanes) &&
         llvm::all_of(llvm::instructions(function), may_run_for_lanes);
}

llvm::Type* form_result(llvm::Type* type, unsigned width) {
  if (type->isVoidTy())
    return type;
  llvm::SmallVector<llvm::Type*, 4> parts;
  for (unsigned i = 0; i < component_count(type); ++i)
    parts.push_back(llvm::FixedVectorType::get(component_type(type, i), width));
  return parts.size() == 1 ? parts.front() : llvm::StructType::get(type->getContext(), parts);
}

llvm::FunctionType* form_type(const llvm::Function& function, const FormShape& shape) {
  llvm::SmallVector<llvm::Type*, 8> types;
  for (const auto& argument : function.args()) {
    auto* type = argument.getType();
    if (shape.arguments[argument.getArgNo()].kind != FormArgument::Kind::lanes) {
      types.push_back(type);
      continue;
    }
    for (unsigned i = 0; i < component_count(type); ++i)
      types.push_back(llvm::FixedVectorType::get(component_type(type, i), shape.width));
  }
  if (shape.masked)
    types.push_back(
        llvm::FixedVectorType::get(llvm::Type::getInt1Ty(function.getContext()), shape.width));
  return llvm::FunctionType::get(form_result(function.getReturnType(), shape.width), types, false);
}

std::string form_name(const llvm::Function& function, const FormShape& shape) {
  return (function.getName() + ".lanes" + shape.text()).str();
}

llvm::Function* declare_form(llvm::Function& function, const FormShape& shape,
                             const llvm::Twine& name) {
  auto* form =
      llvm::cast<llvm::Function>(function.getParent()
                                     ->getOrInsertFunction(name.str(), form_type(function, shape))
                                     .getCallee());
  form->addFnAttr(kFormOf, function.getName());
  form->addFnAttr(kFormShape, shape.text());
  form->addFnAttr(llvm::Attribute::NoInline);
  form->setDoesNotThrow();
  return form;
}

unsigned count_forms(const llvm::Function& function) {
  return static_cast<unsigned>(
      llvm::count_if(*function.getParent(), [&](const llvm::Function& other) {
        return other.getFnAttribute(kFormOf).getValueAsString() == function.getName();
      }));
}

} // namespace

bool has_vector_form(const llvm::Function& function) { return function.hasFnAttribute(kHasForm); }

bool has_masked_form(const llvm::Function& function) {
  return function.hasFnAttribute(kHasMaskedForm);
}

bool returns_for_any_values(const llvm::Function& function) {
  return function.hasFnAttribute(llvm::Attribute::WillReturn);
}

llvm::Function* vector_form(llvm::Function& function, unsigned width) {
  FormShape shape;
  shape.width = width;
  shape.arguments.resize(function.arg_size());
  auto* form = declare_form(function, shape, function.getName() + ".lanes" + llvm::Twine(width));
  form->setDoesNotAccessMemory();
  if (returns_for_any_values(function))
    form->setWillReturn();
  return form;
}

llvm::Function* masked_form(llvm::Function& function, FormShape& shape) {
  if (function.getParent()->getFunction(form_name(function, shape)) == nullptr &&
      count_forms(function) >= kMaxForms) {
    shape.masked = true;
    for (auto& argument : shape.arguments)
      argument = {};
  }
  return declare_form(function, shape, form_name(function, shape));
}

std::optional<FormOf> form_of(const llvm::Function& function) {
  if (!function.hasFnAttribute(kFormOf))
    return std::nullopt;
  return FormOf{
      function.getParent()->getFunction(function.getFnAttribute(kFormOf).getValueAsString()),
      FormShape::from_text(function.getFnAttribute(kFormShape).getValueAsString())};
}

// All of them or none: a program that is so much code is not worth the builds.
static void mark_masked_forms(llvm::Module& module, const LaneLimits& limits) {
  llvm::SmallVector<llvm::Function*, 8> marked;
  std::uint64_t instructions = 0;
  // Callees before their callers; recursive functions never.
  for (bool changes = true; changes;) {
    changes = false;
    for (auto& function : module)
      if (!has_masked_form(function) && may_have_masked_form(function) &&
          !limits.contains(function.getName())) {
        function.addFnAttr(kHasMaskedForm);
        marked.push_back(&function);
        instructions += function.getInstructionCount();
        changes = true;
      }
  }
  if (instructions > kMaxInstructions)
    for (auto* function : marked)
      function->removeFnAttr(kHasMaskedForm);
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

llvm::PreservedAnalyses MarkMaskedFormsPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& /*analyses*/) {
  // Checks are of the kernels' own accesses.
  if (!compilation_.checks_memory())
    mark_masked_forms(module, compilation_.limits);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
