#include "compiler/codegen/target.h"

#include "llvm/ADT/StringMap.h"
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

constexpr const char* kTriple = "x86_64-unknown-linux-gnu";

const llvm::Target* find_target() {
  static const llvm::Target* target = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    std::string error;
    return llvm::TargetRegistry::lookupTarget(llvm::Triple(kTriple), error);
  }();
  return target;
}

TargetCpu host_cpu() {
  llvm::SubtargetFeatures features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return {llvm::sys::getHostCPUName().str(), features.getString()};
}

// Clang describes a variable's place with its address space (DW_OP_xderef), which debuggers for x86
// refuse; here all memory is flat.
void forget_address_spaces_of_variables(llvm::Function& function) {
  for (auto& instruction : llvm::instructions(function))
    for (llvm::DbgVariableRecord& variable : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      unsigned space = 0;
      // Null when nothing else is in the expression.
      const auto* place = llvm::DIExpression::extractAddressClass(variable.getExpression(), space);
      variable.setExpression(place != nullptr ? const_cast<llvm::DIExpression*>(place)
                                              : llvm::DIExpression::get(function.getContext(), {}));
    }
}

} // namespace

TargetCpu find_cpu(llvm::StringRef cpu) {
  if (cpu != "native" && !cpu.empty())
    return {cpu.str(), ""};
  static const TargetCpu host = host_cpu();
  return host;
}

std::unique_ptr<llvm::TargetMachine> make_target_machine(const TargetCpu& cpu, bool optimise) {
  const auto* target = find_target();
  if (target == nullptr)
    return nullptr;
  const llvm::Triple triple(kTriple);
  llvm::TargetOptions options;
  options.MCOptions.X86RelaxRelocations = true;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu.name, cpu.features, options, llvm::Reloc::PIC_, std::nullopt,
      optimise ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None));
  if (machine == nullptr || !machine->getMCSubtargetInfo()->isCPUStringValid(cpu.name))
    return nullptr;
  return machine;
}

bool has_feature(const llvm::TargetMachine& target, llvm::StringRef feature) {
  return target.getMCSubtargetInfo()->checkFeatures(("+" + feature).str());
}

void retarget(llvm::Module& module, const llvm::TargetMachine& target) {
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

void set_target_attributes(llvm::Module& module, const llvm::TargetMachine& target) {
  const bool wide = has_feature(target, "avx512f");
  for (auto& function : module) {
    if (function.isDeclaration())
      continue;
    function.setUWTableKind(llvm::UWTableKind::Async);
    // Touches every page of a large frame in order, so that an overflow meets the guard page.
    function.addFnAttr("probe-stack", "inline-asm");
    if (wide) {
      function.addFnAttr("prefer-vector-width", "512");
      function.addFnAttr("min-legal-vector-width", "512");
    }
  }
}

} // namespace heddle::compiler
