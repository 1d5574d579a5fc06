// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/program_unit.h"

#include "compiler/analysis/call_graph.h"
#include "compiler/codegen/check_assembly.h"
#include "compiler/ir/kernel.h"
#include "compiler/link/bitcode.h"
#include "compiler/lower/find_kernels.h"
#include "compiler/lower/link_builtins.h"
#include "compiler/lower/lower_assertions.h"
#include "compiler/lower/lower_blocks.h"
#include "compiler/lower/lower_global_objects.h"
#include "compiler/lower/lower_printf.h"
#include "compiler/lower/lower_program_scope.h"
#include "compiler/lower/lower_static_guards.h"
#include "compiler/lower/lower_target_ext_types.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/Linker/Linker.h"

namespace heddle::compiler {
namespace {

// Whether a builtin may synchronize the work-items of a group: barriers, work-group functions,
// waits for async copies. Names of functions that only tell about groups begin with "get_".
bool may_be_barrier(llvm::StringRef name) {
  return (name.contains("barrier") || name.contains("group")) && !name.contains("get_");
}

bool has_loops(const llvm::Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 8> back_edges;
  llvm::FindFunctionBackedges(function, back_edges);
  return !back_edges.empty();
}

// Whether the builtin, or the access, may read what another work-item has written.
bool may_poll(llvm::StringRef name) {
  return name.contains("atom") || name.contains("pipe") || name.contains("fence");
}
bool may_poll(const llvm::Instruction& instruction) {
  return instruction.isAtomic() ||
         (instruction.isVolatile() && llvm::isa<llvm::LoadInst>(instruction));
}

// Whether a unit of the kernel may have a barrier, or loops that wait for other sub-groups
// (analysis/polling_loops.h).
bool may_have_barrier(llvm::Function& kernel) {
  llvm::SmallSetVector<llvm::Function*, 16> found;
  found.insert(&kernel);
  bool polls = false, repeats = false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]->isDeclaration() && may_be_barrier(found[i]->getName()))
      return true;
    polls |= found[i]->isDeclaration() && may_poll(found[i]->getName());
    repeats |= !found[i]->isDeclaration() && has_loops(*found[i]);
    for (auto& instruction : llvm::instructions(*found[i])) {
      polls |= may_poll(instruction);
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (auto* callee = call->getCalledFunction())
          found.insert(callee);
    }
  }
  return polls && repeats;
}

// Without debug information.
std::uint64_t hash_code(llvm::Function& kernel) {
  llvm::stable_hash hash = 0;
  for (const auto* function : reachable_functions(kernel))
    hash = llvm::stable_hash_combine(hash, llvm::StructuralHash(*function, true));
  return hash;
}

} // namespace

bool write_program(Build& build, llvm::Module& module, std::vector<std::byte>& output) {
  llvm::ModuleAnalysisManager analyses;
  prepare_blocks(module);
  LowerStaticGuardsPass::run(module, analyses);
  LowerGlobalObjectsPass::run(module, analyses);
  for (auto& function : module) // read_unit() finds them by name
    if (function.hasFnAttribute(kBlockKernelAttribute))
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  if (!resolve_builtins(module, build) || !check_printf(module, build) ||
      !check_assertions(module, build) || !check_assembly(module, build) ||
      !collect_program_scope(module, build))
    return false;
  write_bitcode(module, output);
  build.timer.mark("write-program");
  LowerTargetExtTypesPass::run(module, analyses);
  LowerBlocksPass::run(module, analyses);
  Kernels kernels;
  if (!find_kernels(module, build, kernels))
    return false;
  for (auto& kernel : kernels) {
    if (kernel.body->hasFnAttribute(kGlobalObjectsAttribute)) {
      (kernel.metadata.name == kInitializerKernel ? build.metadata.has_initializer
                                                  : build.metadata.has_finalizer) = true;
      continue;
    }
    kernel.metadata.may_have_barrier = may_have_barrier(*kernel.body);
    kernel.metadata.code_hash = hash_code(*kernel.body);
    build.metadata.kernels.push_back(std::move(kernel.metadata));
  }
  build.timer.mark("describe-kernels");
  return build.within_limits();
}

std::unique_ptr<llvm::Module> read_unit(Build& build) {
  const auto& request = build.request;
  if (request.input_count != 1 || request.kernel == nullptr)
    return nullptr;
  const auto& blob = request.inputs[0];
  // Bodies are read when they are needed.
  auto program = llvm::getLazyBitcodeModule(
      llvm::MemoryBufferRef({static_cast<const char*>(blob.data), blob.size}, "program"),
      build.context);
  if (!program) {
    llvm::consumeError(program.takeError());
    return nullptr;
  }
  const auto* kernel = (*program)->getFunction(request.kernel);
  if (kernel == nullptr)
    return nullptr;
  auto unit = std::make_unique<llvm::Module>((*program)->getModuleIdentifier(), build.context);
  unit->setSourceFileName((*program)->getSourceFileName());
  unit->setTargetTriple((*program)->getTargetTriple());
  unit->setDataLayout((*program)->getDataLayout());
  llvm::Function::Create(kernel->getFunctionType(), llvm::GlobalValue::ExternalLinkage,
                         kernel->getAddressSpace(), kernel->getName(), unit.get());
  if (llvm::Linker::linkModules(*unit, std::move(*program), llvm::Linker::LinkOnlyNeeded))
    return nullptr;
  return unit;
}

} // namespace heddle::compiler
