// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/assume_disjoint_arguments.h"

#include "compiler/ir/address_space.h"
#include "compiler/lower/specialize_images.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/AtomicOrdering.h"

#include <CL/cl.h>

namespace heddle::compiler {
namespace {

// A pointer of the kernel ABI: the group, which is the argument behind the kernel's own, or one
// that is loaded from the group or from its launch.
bool is_of_abi(const llvm::Value& pointer, unsigned first_argument, int most_loads) {
  const auto* object = llvm::getUnderlyingObject(&pointer);
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object))
    return argument->getArgNo() >= first_argument;
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(object);
  return most_loads > 0 && load != nullptr && load->getPointerAddressSpace() == kPrivate &&
         is_of_abi(*load->getPointerOperand(), first_argument, most_loads - 1);
}

// A pointer in the descriptor of an image argument: to its texels or its levels.
bool is_of_image(const llvm::LoadInst& load) {
  const auto* object =
      llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load.getPointerOperand()));
  return object != nullptr && object->hasAttribute(kImageAttribute);
}

// Whether the instruction makes a pointer of something else than pointers.
bool may_make_pointer(const llvm::Instruction& instruction, unsigned first_argument) {
  const auto* type = instruction.getType();
  if (!type->isPtrOrPtrVectorTy())
    return llvm::isa<llvm::LoadInst>(instruction) && type->isAggregateType();
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return !is_of_image(*load) && (load->getPointerAddressSpace() != kPrivate ||
                                   !is_of_abi(*load->getPointerOperand(), first_argument, 1));
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const auto* callee = call->getCalledFunction();
    return callee == nullptr || type->getPointerAddressSpace() == kGlobal;
  }
  return !llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst, llvm::AllocaInst,
                    llvm::AddrSpaceCastInst, llvm::BitCastInst, llvm::FreezeInst>(instruction);
}

// Functions that are called have their pointers from the kernel, if they make none themselves
// (those that read descriptors of images do). Those without uses are other kernels.
bool all_pointers_are_arguments(const llvm::Function& kernel, unsigned argument_count) {
  return llvm::all_of(*kernel.getParent(), [&](const llvm::Function& function) {
    if (function.use_empty() && &function != &kernel)
      return true;
    const auto first_of_abi = &function == &kernel ? argument_count : ~0U;
    return llvm::none_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
      return may_make_pointer(instruction, first_of_abi);
    });
  });
}

// Whether what other work-items wrote may be visible behind the instruction: a barrier, a fence, an
// atomic operation of that order, or a function of the runtime.
bool may_synchronize(const llvm::Instruction& instruction) {
  const auto is_ordered = [](llvm::AtomicOrdering ordering) {
    return llvm::isStrongerThan(ordering, llvm::AtomicOrdering::Monotonic);
  };
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const auto* callee = call->getCalledFunction();
    return callee == nullptr ||
           (callee->isDeclaration() && !callee->isIntrinsic() && !call->doesNotAccessMemory());
  }
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return is_ordered(load->getOrdering());
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return is_ordered(update->getOrdering());
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return is_ordered(exchange->getSuccessOrdering()) || is_ordered(exchange->getFailureOrdering());
  return llvm::isa<llvm::FenceInst>(instruction);
}

bool may_synchronize(const llvm::Function& kernel) {
  return llvm::any_of(*kernel.getParent(), [&](const llvm::Function& function) {
    return (!function.use_empty() || &function == &kernel) &&
           llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
             return may_synchronize(instruction);
           });
  });
}

// Whether the function may write to memory through the argument, in one of the loops if any are
// given.
bool may_be_written(const llvm::Argument& argument, const llvm::LoopInfo* loops = nullptr) {
  const auto counts = [loops](const llvm::User& user) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&user);
    return loops == nullptr || instruction == nullptr ||
           loops->getLoopFor(instruction->getParent()) != nullptr;
  };
  llvm::SmallVector<const llvm::Value*, 16> pending{&argument};
  llvm::SmallPtrSet<const llvm::Value*, 16> seen{&argument};
  while (!pending.empty())
    for (const auto& use : pending.pop_back_val()->uses()) {
      const auto* user = use.getUser();
      if (llvm::isa<llvm::LoadInst, llvm::CmpInst>(user))
        continue;
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
        if (call->isDataOperand(&use) && call->onlyReadsMemory(call->getDataOperandNo(&use)) &&
            call->doesNotCapture(call->getDataOperandNo(&use)))
          continue;
        if (counts(*user))
          return true;
        continue;
      }
      if (!llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst,
                     llvm::AddrSpaceCastInst, llvm::BitCastInst, llvm::FreezeInst>(user)) {
        if (counts(*user))
          return true;
        continue;
      }
      if (seen.insert(user).second)
        pending.push_back(user);
    }
  return false;
}

// Whether a block loads from one pointer behind a store to another one.
bool loads_behind_stores(const llvm::Function& kernel) {
  return llvm::any_of(kernel, [](const llvm::BasicBlock& block) {
    llvm::SmallPtrSet<const llvm::Value*, 4> stored;
    return llvm::any_of(block, [&](const llvm::Instruction& instruction) {
      const auto* address = llvm::getLoadStorePointerOperand(&instruction);
      if (address == nullptr || address->getType()->getPointerAddressSpace() != kGlobal)
        return false;
      const auto* object = llvm::getUnderlyingObject(address);
      if (llvm::isa<llvm::StoreInst>(instruction))
        stored.insert(object);
      return llvm::isa<llvm::LoadInst>(instruction) &&
             llvm::any_of(stored, [&](const llvm::Value* other) { return other != object; });
    });
  });
}

} // namespace

llvm::PreservedAnalyses
AssumeDisjointArgumentsPass::run_on_kernel(Kernel& kernel,
                                           llvm::FunctionAnalysisManager& analyses) {
  auto& body = *kernel.body;
  auto& metadata = kernel.metadata;
  const auto count = static_cast<unsigned>(metadata.arguments.size());
  if (!compilation_.build.request.specialization.has_disjoint_arguments || metadata.is_block ||
      body.arg_size() < count)
    return llvm::PreservedAnalyses::all();
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(body);
  if ((loops.empty() && !loads_behind_stores(body)) || !all_pointers_are_arguments(body, count))
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<unsigned, 8> pointers, written;
  unsigned images = 0;
  bool writes_to_pointer = false, writes_in_loop = false;
  for (unsigned i = 0; i < count; ++i) {
    auto& argument = *body.getArg(i);
    const auto& described = metadata.arguments[i];
    if (described.kind == ArgumentKind::image) {
      ++images;
      if (described.access_qualifier != CL_KERNEL_ARG_ACCESS_READ_ONLY)
        written.push_back(i);
    } else if (described.kind == ArgumentKind::global_pointer &&
               argument.getType()->isPointerTy()) {
      pointers.push_back(i);
      if (may_be_written(argument)) {
        written.push_back(i);
        writes_in_loop = writes_in_loop || may_be_written(argument, &loops);
        writes_to_pointer = true;
      }
    }
  }
  if (pointers.size() + images < 2 || !writes_to_pointer)
    return llvm::PreservedAnalyses::all();
  const auto synchronizes = may_synchronize(body);
  // Other kernels with images gain nothing, and two took 1.03 and 1.08 of the time.
  if (images != 0 && (synchronizes || !writes_in_loop))
    return llvm::PreservedAnalyses::all();
  // To LLVM, a barrier does not write to memory of a noalias pointer that it is not passed.
  if (synchronizes)
    llvm::erase_if(pointers, [&](unsigned i) { return llvm::is_contained(written, i); });
  if (pointers.empty())
    return llvm::PreservedAnalyses::all();
  for (const auto i : pointers)
    body.addParamAttr(i, llvm::Attribute::NoAlias);
  metadata.written_arguments.assign(written.begin(), written.end());
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
