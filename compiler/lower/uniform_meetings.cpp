// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/uniform_meetings.h"

#include "compiler/analysis/call_graph.h"
#include "compiler/analysis/work_group_uniformity.h"
#include "compiler/interface/check_record.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/insert_memory_checks.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

// The operands of a meeting's check that tell of its copy and its events.
constexpr unsigned kCopy = 5, kEvents = 6;

using Meetings = llvm::SmallVector<llvm::CallInst*, 8>;

Meetings meetings_of(llvm::Function& function) {
  Meetings found;
  for (auto& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr || callee->getName() != kCheckFunction)
      continue;
    const auto* kind = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0));
    if (kind->equalsInt(static_cast<std::uint64_t>(abi::CheckedCall::meeting)))
      found.push_back(call);
  }
  return found;
}

bool has_events(const llvm::CallInst& meeting) {
  const auto* copy = llvm::dyn_cast<llvm::ConstantInt>(meeting.getArgOperand(kCopy));
  const auto* events = llvm::dyn_cast<llvm::ConstantInt>(meeting.getArgOperand(kEvents));
  return copy == nullptr || !copy->equalsInt(abi::kNoCopy) || events == nullptr ||
         !events->isZero();
}

bool is_uniform(const llvm::CallInst& meeting, const WorkGroupUniformity& uniformity,
                const WorkItemParams& params) {
  return !has_events(meeting) && uniformity.is_convergent(*meeting.getParent()) &&
         llvm::all_of(meeting.args(), [&](const llvm::Use& operand) {
           if (const auto* argument = llvm::dyn_cast<llvm::Argument>(operand.get()))
             return argument->getArgNo() < params.local_id[0]->getArgNo();
           const auto* value = llvm::dyn_cast<llvm::Instruction>(operand.get());
           return value == nullptr || uniformity.is_uniform(*value);
         });
}

bool are_uniform(const Meetings& meetings, llvm::Function& body) {
  if (llvm::any_of(reachable_functions(body), [&](llvm::Function* function) {
        return function != &body && !meetings_of(*function).empty();
      }))
    return false;
  if (meetings.empty())
    return true;
  const WorkGroupUniformity uniformity(body, /*is_masked=*/false);
  const auto params = work_item_params(body);
  return llvm::all_of(meetings, [&](const llvm::CallInst* meeting) {
    return is_uniform(*meeting, uniformity, params);
  });
}

} // namespace

llvm::PreservedAnalyses DropUniformMeetingsPass::run(llvm::Module& /*module*/,
                                                     llvm::ModuleAnalysisManager& /*analyses*/) {
  for (auto& kernel : compilation_.kernels) {
    const auto meetings = meetings_of(*kernel.body);
    // Checks of races follow the order by all of them.
    kernel.checks_divergence = compilation_.checks_race() || !are_uniform(meetings, *kernel.body);
    if (!kernel.checks_divergence)
      for (auto* meeting : meetings)
        meeting->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
