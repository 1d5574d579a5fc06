// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/ordered_arguments.h"

#include "compiler/analysis/call_graph.h"
#include "compiler/interface/check_record.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/unchecked_kernel.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/access_form.h"
#include "compiler/lower/checked_calls.h"
#include "compiler/lower/insert_memory_checks.h"
#include "compiler/lower/specialize_images.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

using abi::CheckedCall;

// The first operand of a meeting that may be an argument of an async copy.
constexpr unsigned kMeetingArguments = 8;

bool is_access(const llvm::CallInst& check) {
  const auto call = checked_call(check);
  return call >= CheckedCall::ordered_load && call <= CheckedCall::ordered_atomic;
}

// How the kernel accesses the memory of an argument.
class ArgumentUses {
 public:
  void add(const llvm::CallInst& check, const llvm::Argument& argument, const Kernel& kernel) {
    checks_.push_back(const_cast<llvm::CallInst*>(&check));
    is_read_only_ &= checked_call(check) == CheckedCall::ordered_load;
    is_atomic_only_ &= checked_call(check) == CheckedCall::ordered_atomic;
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(check.getArgOperand(kCheckedBytes));
    const auto form = bytes == nullptr || !is_own_
                          ? std::nullopt
                          : access_form(*check.getArgOperand(kCheckedPointer), argument, kernel);
    if (!form || (form_ && !std::ranges::equal(form->strides, form_->strides))) {
      is_own_ = false;
      return;
    }
    const auto end = form->constant + bytes->getZExtValue();
    if (!form_) {
      form_ = form;
      end_ = end;
      return;
    }
    form_->constant = std::min(form_->constant, form->constant);
    end_ = std::max(end_, end);
  }
  void add_copy() { is_read_only_ = is_atomic_only_ = is_own_ = false; }

  // `others`: accesses by pointers of unknown origin.
  bool are_ordered(bool others_read, bool others_write) const {
    return !others_write &&
           (is_read_only_ || (!others_read && (is_atomic_only_ || (is_own_ && form_))));
  }
  llvm::ArrayRef<llvm::CallInst*> checks() const { return checks_; }
  // Whether that is known before the launch.
  llvm::Value* emit_condition(llvm::IRBuilder<>& builder, llvm::Value* group) const {
    if (is_read_only_ || is_atomic_only_)
      return builder.getTrue();
    return emit_is_injective(builder, *form_, end_ - form_->constant, group);
  }

 private:
  llvm::SmallVector<llvm::CallInst*, 4> checks_;
  bool is_read_only_ = true;
  bool is_atomic_only_ = true;
  bool is_own_ = true;
  std::optional<AccessForm> form_; // with the least constant
  std::uint64_t end_ = 0;          // the largest constant and its bytes
};

class CheckSkipper {
 public:
  CheckSkipper(Compilation& compilation, Kernel& kernel)
      : compilation_(compilation), kernel_(kernel), body_(*kernel.body) {}

  // A second kernel if there is one.
  std::optional<Kernel> run(llvm::ArrayRef<llvm::CallInst*> checks) {
    for (auto* check : checks)
      add(*check);
    llvm::SmallVector<const ArgumentUses*, 8> ordered;
    std::size_t skipped = 0;
    for (const auto& [argument, uses] : arguments_)
      if (uses.are_ordered(others_read_, others_write_)) {
        ordered.push_back(&uses);
        skipped += uses.checks().size();
      }
    if (ordered.empty())
      return std::nullopt;
    auto* condition = make_condition(ordered);
    kernel_.metadata.has_elided_copies = true; // it reads abi::Launch::arguments_overlap
    if (skipped == checks.size() && may_run_unchecked())
      return make_unchecked(*condition);
    guard(ordered, *condition);
    return std::nullopt;
  }

 private:
  void add(llvm::CallInst& check) {
    if (is_access(check)) {
      auto& pointer = *check.getArgOperand(kCheckedPointer);
      if (auto* argument = argument_of(pointer)) {
        if (argument->getType()->getPointerAddressSpace() == kGlobal ||
            argument->hasAttribute(kImageAttribute))
          arguments_[argument].add(check, *argument, kernel_);
      } else if (pointer.getType()->getPointerAddressSpace() != kLocal) {
        (checked_call(check) == CheckedCall::ordered_load ? others_read_ : others_write_) = true;
      }
    } else if (checked_call(check) == CheckedCall::meeting) {
      for (auto& operand : llvm::drop_begin(check.args(), kMeetingArguments))
        if (operand->getType()->isPointerTy()) {
          if (auto* argument = argument_of(*operand))
            arguments_[argument].add_copy();
          else if (operand->getType()->getPointerAddressSpace() != kLocal)
            others_write_ = true;
        }
    }
  }

  // The kernel's argument from which the pointer comes; of a texel the image.
  llvm::Argument* argument_of(llvm::Value& pointer) const {
    auto* object = llvm::getUnderlyingObject(&pointer, 0);
    if (auto* texels = llvm::dyn_cast<llvm::LoadInst>(object))
      if (auto* image = llvm::dyn_cast<llvm::Argument>(
              llvm::getUnderlyingObject(texels->getPointerOperand(), 0));
          image != nullptr && image->hasAttribute(kImageAttribute))
        return image;
    auto* argument = llvm::dyn_cast<llvm::Argument>(object);
    return argument != nullptr && argument->getArgNo() + kWorkItemParams < body_.arg_size()
               ? argument
               : nullptr;
  }

  bool may_run_unchecked() const {
    return compilation_.optimizes() && !compilation_.checks_memory() &&
           !compilation_.checks_divergence() && !compilation_.checks_uninitialized() &&
           !kernel_.metadata.has_barrier && !kernel_.metadata.is_block &&
           !kernel_.metadata.uses_device_queues && !kernel_.has_polling_loops &&
           !body_.hasMetadata("intel_reqd_sub_group_size") &&
           llvm::none_of(reachable_functions(body_), [](const llvm::Function* function) {
             return calls_subgroup_intrinsics(*function);
           });
  }

  llvm::Function* make_condition(llvm::ArrayRef<const ArgumentUses*> ordered) {
    auto* module = body_.getParent();
    llvm::IRBuilder<> builder(module->getContext());
    llvm::SmallVector<llvm::Type*, 16> types;
    for (auto& parameter : body_.args())
      types.push_back(parameter.getType());
    auto* made = llvm::Function::Create(llvm::FunctionType::get(builder.getInt1Ty(), types, false),
                                        llvm::GlobalValue::InternalLinkage,
                                        kernel_.metadata.name + ".order_condition", module);
    made->addFnAttr(llvm::Attribute::AlwaysInline);
    made->addFnAttr(llvm::Attribute::NoUnwind);
    builder.SetInsertPoint(llvm::BasicBlock::Create(module->getContext(), "entry", made));
    AbiBuilder access(builder);
    auto* group = made->getArg(work_item_params(body_).group->getArgNo());
    auto* overlap =
        access.launch_word(access.launch_of(group), offsetof(abi::Launch, arguments_overlap));
    auto* holds = builder.CreateICmpEQ(overlap, builder.getInt64(0));
    for (const auto* uses : ordered)
      holds = builder.CreateAnd(holds, uses->emit_condition(builder, group));
    builder.CreateRet(holds);
    return made;
  }

  Kernel make_unchecked(const llvm::Function& condition) {
    llvm::ValueToValueMapTy map;
    auto* body = llvm::CloneFunction(&body_, map);
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(*body)))
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call != nullptr && call->getCalledFunction() != nullptr &&
          call->getCalledFunction()->getName() == kCheckFunction)
        instruction.eraseFromParent();
    return make_unchecked_kernel(kernel_, *body, condition);
  }

  void guard(llvm::ArrayRef<const ArgumentUses*> ordered, llvm::Function& condition) {
    llvm::IRBuilder<> builder(&*body_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    llvm::SmallVector<llvm::Value*, 16> parameters;
    for (auto& parameter : body_.args())
      parameters.push_back(&parameter);
    auto* may_race = builder.CreateNot(builder.CreateCall(&condition, parameters), "may_race");
    auto* rarely = llvm::MDBuilder(body_.getContext()).createBranchWeights(1, 1000);
    for (const auto* uses : ordered)
      for (auto* check : uses->checks()) {
        if (checked_call(*check) == CheckedCall::ordered_atomic)
          continue; // they may order accesses of other arguments
        auto* then = llvm::SplitBlockAndInsertIfThen(may_race, check->getIterator(),
                                                     /*Unreachable=*/false, rarely);
        check->moveBefore(then->getIterator());
      }
  }

  Compilation& compilation_;
  Kernel& kernel_;
  llvm::Function& body_;
  llvm::MapVector<llvm::Argument*, ArgumentUses> arguments_;
  bool others_read_ = false;
  bool others_write_ = false;
};

} // namespace

llvm::PreservedAnalyses SkipOrderedChecksPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  auto* function = module.getFunction(kCheckFunction);
  if (function == nullptr)
    return llvm::PreservedAnalyses::all();
  llvm::MapVector<llvm::Function*, llvm::SmallVector<llvm::CallInst*, 16>> checks;
  for (auto* user : function->users()) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    checks[call->getFunction()].push_back(call);
  }
  auto& kernels = compilation_.kernels;
  // What a function accesses, its callers do not show.
  if (llvm::any_of(checks, [&](const auto& entry) {
        return llvm::none_of(kernels,
                             [&](const Kernel& kernel) { return kernel.body == entry.first; });
      }))
    return llvm::PreservedAnalyses::all();
  Kernels added;
  for (auto& kernel : kernels)
    if (const auto own = checks.find(kernel.body); own != checks.end())
      if (auto second = CheckSkipper(compilation_, kernel).run(own->second))
        added.push_back(std::move(*second));
  for (auto& kernel : added)
    kernels.push_back(std::move(kernel));
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
