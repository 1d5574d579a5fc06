// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/codegen.h"

#include "compiler/analysis/call_graph.h"
#include "compiler/codegen/machine_size.h"
#include "compiler/codegen/stack_sizes.h"
#include "compiler/support/build.h"
#include "compiler/support/fatal_errors.h"
#include "compiler/target/architecture.h"
#include "llvm/Analysis/RuntimeLibcallInfo.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/Pass.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace heddle::compiler {
namespace {

using SpillCounts = llvm::DenseMap<const llvm::Function*, Spills>;

// Receives frame sizes, numbers of spills if remarks are collected, and errors of code generation.
class CodegenDiagnostics : public llvm::DiagnosticHandler {
 public:
  CodegenDiagnostics(Build& build, FrameSizes& frames, SpillCounts& spills)
      : build_(build), frames_(frames), spills_(spills) {}

  // LLVM counts spills only if this remark is enabled.
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override {
    return build_.collects_remarks() && pass == kRegisterAllocation;
  }
  bool isAnyRemarkEnabled() const override { return build_.collects_remarks(); }

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (const auto* stack = llvm::dyn_cast<llvm::DiagnosticInfoStackSize>(&info)) {
      frames_[&stack->getFunction()] = stack->getStackSize();
    } else if (const auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info)) {
      // There is another one for each loop.
      if (remark->getPassName() == kRegisterAllocation &&
          remark->getRemarkName() == "SpillReloadCopies")
        spills_[&remark->getFunction()] = count(*remark);
    } else {
      build_.take_errors(info);
    }
    return true;
  }

 private:
  static constexpr llvm::StringLiteral kRegisterAllocation = "regalloc";

  static Spills count(const llvm::DiagnosticInfoOptimizationBase& remark) {
    Spills spills;
    for (const auto& argument : remark.getArgs()) {
      std::uint64_t number = 0;
      if (llvm::StringRef(argument.Val).getAsInteger(10, number))
        continue;
      if (argument.Key == "NumSpills" || argument.Key == "NumFoldedSpills")
        spills.stores += number;
      else if (argument.Key == "NumReloads" || argument.Key == "NumFoldedReloads")
        spills.loads += number;
    }
    return spills;
  }

  Build& build_;
  FrameSizes& frames_;
  SpillCounts& spills_;
};

// For all functions that a sub-group executes. The allocator does not report functions without
// spills.
void add_spills(Kernel& kernel, const SpillCounts& counts) {
  auto& spills = kernel.report.spills.emplace();
  for (const auto* function :
       reachable_functions(kernel.fiber_entry != nullptr ? *kernel.fiber_entry : *kernel.entry)) {
    if (function->hasOptNone()) {
      kernel.report.spills.reset();
      return;
    }
    const auto own = counts.lookup(function);
    spills.stores += own.stores;
    spills.loads += own.loads;
  }
}

// LLVM's own timing of code generation, whose passes are legacy passes, which PhaseTimer does not
// instrument. It is enabled for the whole process: concurrent builds are in one report.
class LlvmReport {
 public:
  explicit LlvmReport(bool is_wanted) : is_wanted_(is_wanted) {
    if (is_wanted_)
      llvm::TimePassesIsEnabled = true;
  }
  ~LlvmReport() {
    if (is_wanted_)
      llvm::reportAndResetTimings(&llvm::errs());
  }
  LlvmReport(const LlvmReport&) = delete;
  LlvmReport& operator=(const LlvmReport&) = delete;

 private:
  bool is_wanted_;
};

// Scheduling and register allocation take time quadratic in a function's size at the default level;
// above this size the level below is used, which is linear.
constexpr unsigned kMaxInstructionsScheduled = 8'000;

// Machine sinking compares all pairs of blocks, and a gather without hardware support has a block
// for each lane. What is hoisted out of a loop of so much code, constants mostly, is alive in all
// of its blocks, which takes quadratic time, and then has no register.
constexpr std::uint64_t kMaxSizeSunk = 10'000; // by machine_size()

// In blocks of thousands of instructions the scheduler before register allocation takes most of
// code generation: 70 % for a 64-point FFT in registers, whose code is 4 to 9 % slower without it.
constexpr std::size_t kMaxBlockPreScheduled = 4'000;

bool has_long_block(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) {
    return llvm::any_of(function,
                        [](const auto& block) { return block.size() > kMaxBlockPreScheduled; });
  });
}

bool describes_variables(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) {
    return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
      return !llvm::filterDbgVars(instruction.getDbgRecordRange()).empty();
    });
  });
}

// Loop strength reduction and what prepares for it: a fifth of code generation, without which
// kernels take 0.97 to 1.13 of the time. Not for units that others replace where launches take
// long.
bool reduces_strength(llvm::StringRef pass) {
  return pass == "Loop Strength Reduction" || pass == "Canonicalize Freeze Instructions in Loops";
}

// Drops passes that are added by pointer, which TargetPassConfig cannot disable: those that never
// change a kernel, but compute analyses for nothing, and those that are not worth their time.
class CodegenPasses : public llvm::legacy::PassManager {
 public:
  explicit CodegenPasses(const Build& build)
      : is_replaced_(build.request.specialization.is_first ||
                     build.request.specialization.is_plain()) {}

  void add(llvm::Pass* pass) override {
    if (architecture::is_useless_pass(pass->getPassName()) ||
        (is_replaced_ && reduces_strength(pass->getPassName())))
      delete pass; // NOLINT(cppcoreguidelines-owning-memory): pass managers own by pointer
    else
      llvm::legacy::PassManager::add(pass);
  }

 private:
  const bool is_replaced_;
};

// Like TargetMachine::addPassesToEmitFile, without passes that have nothing to do. False if the
// target cannot write such files.
bool add_passes(CodegenPasses& passes, llvm::TargetMachine& target, const llvm::Module& module,
                llvm::raw_pwrite_stream& stream, llvm::CodeGenFileType type) {
  auto* config = target.createPassConfig(passes);
  config->setDisableVerify(true);
  // LiveDebugValues follows every register through the function even if there are no variables.
  if (!describes_variables(module))
    config->disablePass(&llvm::LiveDebugValuesID);
  if (llvm::any_of(module, [&](const llvm::Function& function) {
        return machine_size(function, TargetInfo(target)) > kMaxSizeSunk;
      })) {
    config->disablePass(&llvm::MachineSinkingLegacyID);
    config->disablePass(&llvm::EarlyMachineLICMID);
  }
  if (!architecture::schedules_after_allocation())
    config->disablePass(&llvm::PostRASchedulerID);
  if (has_long_block(module))
    config->disablePass(&llvm::MachineSchedulerID);
  auto* functions = new llvm::MachineModuleInfoWrapperPass(&target);
  passes.llvm::legacy::PassManager::add(config);
  passes.llvm::legacy::PassManager::add(functions);
  // Without it memcpy is not available, and copies become loops over bytes.
  const auto& options = target.Options;
  passes.add(new llvm::RuntimeLibraryInfoWrapper(target.getTargetTriple(), options.ExceptionModel,
                                                 options.FloatABIType, options.EABIVersion,
                                                 options.MCOptions.ABIName, options.VecLib));
  if (config->addISelPasses())
    return false;
  config->addMachinePasses();
  config->setInitialized();
  if (target.addAsmPrinter(passes, stream, nullptr, type, functions->getMMI().getContext()))
    return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  return true;
}

} // namespace

bool generate_code(llvm::Module& module, llvm::TargetMachine& target, Build& build,
                   Kernels& kernels, llvm::SmallVectorImpl<char>& object) {
  FrameSizes frames;
  SpillCounts spills;
  for (auto& function : module)
    if (!function.isDeclaration())
      function.addFnAttr("warn-stack-size", "0"); // report every frame
  build.context.setDiagnosticHandler(std::make_unique<CodegenDiagnostics>(build, frames, spills));
  // Code generation cannot be stopped between two passes of a function: a build past its limits is
  // left like after a fatal error.
  build.context.setYieldCallback(
      [](llvm::LLVMContext*, void* opaque) {
        auto& limits = static_cast<Build*>(opaque)->limits;
        if (const char* message = limits.exceeded())
          raise_fatal(message);
      },
      &build);
  if (llvm::any_of(module, [](const llvm::Function& function) {
        return function.getInstructionCount() > kMaxInstructionsScheduled;
      }))
    target.setOptLevel(std::min(target.getOptLevel(), llvm::CodeGenOptLevel::Less));
  CodegenPasses passes(build);
  llvm::raw_svector_ostream stream(object);
  const bool unsupported =
      !add_passes(passes, target, module, stream, llvm::CodeGenFileType::ObjectFile);
  const LlvmReport report(build.timer.is_detailed());
  if (!unsupported)
    passes.run(module);
  build.context.setYieldCallback(nullptr, nullptr);
  if (unsupported)
    return build.error("the code generator cannot write object files");
  const bool counts_spills = target.getOptLevel() != llvm::CodeGenOptLevel::None;
  for (auto& kernel : kernels) {
    set_stack_sizes(kernel, frames);
    if (build.collects_remarks() && counts_spills)
      add_spills(kernel, spills);
  }
  build.context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
  return !build.failed;
}

std::string generate_assembly(const llvm::Module& module, llvm::TargetMachine& target,
                              const Build& build) {
  const auto clone = llvm::CloneModule(module);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  CodegenPasses passes(build);
  if (add_passes(passes, target, *clone, stream, llvm::CodeGenFileType::AssemblyFile))
    passes.run(*clone);
  return text.str().str();
}

} // namespace heddle::compiler
