// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/set_target.h"

#include "compiler/target/target_info.h"
#include "compiler/target/vector_bits.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

namespace heddle::compiler {
namespace {

// Clang describes a variable's location with its address space (DW_OP_xderef), which debuggers
// reject; memory is flat here.
void forget_address_spaces_of_variables(llvm::Function& function) {
  for (auto& instruction : llvm::instructions(function))
    for (llvm::DbgVariableRecord& variable : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      unsigned space = 0;
      // Null if the expression has no other operation.
      const auto* place = llvm::DIExpression::extractAddressClass(variable.getExpression(), space);
      variable.setExpression(place != nullptr ? const_cast<llvm::DIExpression*>(place)
                                              : llvm::DIExpression::get(function.getContext(), {}));
    }
}

} // namespace

static void set_target_attributes(llvm::Module& module, const llvm::TargetMachine& target) {
  const auto vector_bits = TargetInfo(target).declared_vector_bits;
  for (auto& function : module) {
    if (function.isDeclaration())
      continue;
    function.setUWTableKind(llvm::UWTableKind::Async);
    // Probes every page of a large frame in order, so that an overflow hits the guard page.
    function.addFnAttr("probe-stack", "inline-asm");
    if (vector_bits != 0)
      declare_vector_bits(function, vector_bits);
  }
}

static void retarget(llvm::Module& module, const llvm::TargetMachine& target) {
  module.setTargetTriple(target.getTargetTriple());
  module.setDataLayout(target.createDataLayout());
  module.setPICLevel(llvm::PICLevel::BigPIC);
  module.setUwtable(llvm::UWTableKind::Async);
  for (auto& function : module) {
    if (function.isDeclaration())
      continue;
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    function.removeFnAttr("stack-protector-buffer-size");
    forget_address_spaces_of_variables(function);
  }
  set_target_attributes(module, target);
}

llvm::PreservedAnalyses RetargetPass::run(llvm::Module& module,
                                          llvm::ModuleAnalysisManager& /*analyses*/) {
  retarget(module, target_);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses SetTargetAttributesPass::run(llvm::Module& module,
                                                     llvm::ModuleAnalysisManager& /*analyses*/) {
  set_target_attributes(module, target_);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
