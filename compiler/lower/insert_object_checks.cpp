// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/insert_object_checks.h"

#include "compiler/ir/work_item_params.h"
#include "compiler/lower/checked_calls.h"
#include "compiler/lower/checked_objects.h"
#include "compiler/lower/known_offsets.h"
#include "compiler/lower/memory_accesses.h"
#include "compiler/lower/object_places.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kVisited = "heddle-checks-objects";

} // namespace
llvm::PreservedAnalyses InsertObjectChecksPass::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager& analyses) {
  const auto* kernel = compilation_.find_kernel(function);
  if (function.hasFnAttribute(kVisited) ||
      (kernel == nullptr && !(has_work_item_params(function) && has_checked_objects(function))))
    return llvm::PreservedAnalyses::all();
  function.addFnAttr(kVisited);
  KnownOffsets known(function, kernel, analyses.getResult<llvm::AssumptionAnalysis>(function),
                     analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
  CheckCalls calls(*function.getParent());
  ObjectPlaces places(function, kernel, calls);
  llvm::SmallVector<llvm::Instruction*, 64> instructions;
  for (auto& instruction : llvm::instructions(function))
    instructions.push_back(&instruction);
  for (auto* instruction : instructions) {
    if (const auto check = object_check(*instruction)) { // of an index
      if (known.are_inside(*check->offset, *check->bytes, check->object_bytes, *instruction))
        instruction->eraseFromParent();
      continue;
    }
    for (const auto& access : accesses_of(*instruction)) {
      const auto place = places.of(*access.pointer);
      if (!place || known.are_inside(*place->offset, *access.bytes, object_bytes(*place->object),
                                     *instruction))
        continue;
      llvm::IRBuilder<> builder(instruction);
      create_object_check(builder, calls, access.kind, *calls.place(*instruction), *place->object,
                          *place->offset, *access.bytes);
    }
  }
  places.remove_unused();
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
