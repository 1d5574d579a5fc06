// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle-opt: runs passes on LLVM IR, as LLVM's opt does; for tests of passes.
//
//   heddle-opt --passes=PIPELINE [--cpu=NAME] [--width=LANES] [--rows=ROWS] [--fibers]
//              [--check=division|memory|race|divergence|uninitialized|buffers] [--print-changed]
//              [--print-after=NAMES] FILE.ll|-
//
// PIPELINE, in the syntax of opt, names passes of compiler/passes.def and of LLVM, and
// two printers of analyses to stderr: print<lane-accesses>, how kernels in canonical form access
// memory, and print<leader-blocks>, what only a group's first work-item executes.
// kernel-body(PASSES) runs function passes on the bodies of kernels alone. Kernels are
// those that find-kernels finds, or functions with the attributes that it and vectorize add
// (ir/recover_kernels.h). The module is printed to stdout, the build's log to stderr; the exit
// status is 1 if a pass failed.
#include "compiler/analysis/leader_blocks.h"
#include "compiler/ir/recover_kernels.h"
#include "compiler/lower/kernel_arguments.h"
#include "compiler/pass_registry.h"
#include "compiler/pass_runner.h"
#include "compiler/support/build.h"
#include "compiler/support/fatal_errors.h"
#include "compiler/target/target.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/analysis/lane_access.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace {

using namespace heddle::compiler;

struct PrintLaneAccessesPass : llvm::PassInfoMixin<PrintLaneAccessesPass> {
  explicit PrintLaneAccessesPass(const VectorPlan& plan) : plan(plan) {}
  llvm::PreservedAnalyses run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) const {
    print_lane_accesses(kernel, Analyses(kernel, plan).shapes, llvm::errs());
    return llvm::PreservedAnalyses::all();
  }

  VectorPlan plan;
};

struct PrintLeaderBlocksPass : llvm::PassInfoMixin<PrintLeaderBlocksPass> {
  static llvm::PreservedAnalyses run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) {
    llvm::errs() << "Leader blocks of " << kernel.getName() << ":";
    const auto leader = leader_blocks(kernel, llvm::DominatorTree(kernel));
    for (const auto& block : kernel)
      if (leader.contains(&block))
        llvm::errs() << " " << block.getName();
    llvm::errs() << "\n";
    return llvm::PreservedAnalyses::all();
  }
};

void register_printers(llvm::PassBuilder& builder, const VectorPlan& plan) {
  builder.registerPipelineParsingCallback(
      [plan](llvm::StringRef word, llvm::FunctionPassManager& passes,
             llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (word == "print<lane-accesses>")
          passes.addPass(PrintLaneAccessesPass(plan));
        else if (word == "print<leader-blocks>")
          passes.addPass(PrintLeaderBlocksPass());
        else
          return false;
        return true;
      });
}

struct CommandLine {
  std::string passes, input, cpu = architecture::tested_cpu().str(), print_after;
  heddle_request request{};
};

bool parse(int count, char** words, CommandLine& line) {
  auto& request = line.request;
  auto& specialization = request.specialization;
  request.verify_each = 1;
  for (int i = 1; i < count; ++i) {
    llvm::StringRef word = words[i];
    if (word.consume_front("--passes="))
      line.passes = word.str();
    else if (word.consume_front("--cpu="))
      line.cpu = word.str();
    else if (word.consume_front("--width="))
      word.getAsInteger(10, specialization.lanes);
    else if (word.consume_front("--rows="))
      word.getAsInteger(10, specialization.rows);
    else if (word == "--registers")
      request.force_promotion = 1;
    else if (word == "--fibers")
      request.force_fibers = 1;
    else if (word == "--disjoint")
      specialization.has_disjoint_arguments = true;
    else if (word == "--swap-dimensions")
      specialization.lane_dimension = heddle::LaneDimension::second;
    else if (word == "--check=division")
      request.checks |= HEDDLE_CHECK_DIVISION;
    else if (word == "--check=memory")
      request.checks |= HEDDLE_CHECK_MEMORY;
    else if (word == "--check=race")
      request.checks |= HEDDLE_CHECK_RACE;
    else if (word == "--check=divergence")
      request.checks |= HEDDLE_CHECK_DIVERGENCE;
    else if (word == "--check=uninitialized")
      request.checks |= HEDDLE_CHECK_UNINITIALIZED;
    else if (word == "--check=buffers")
      request.checks |= HEDDLE_CHECK_UNINITIALIZED | HEDDLE_CHECK_BUFFERS;
    else if (word == "--print-changed")
      request.print_changed = 1;
    else if (word.consume_front("--print-after="))
      line.print_after = word.str();
    else if (line.input.empty() && (word == "-" || !word.starts_with("-")))
      line.input = word.str();
    else {
      llvm::errs() << "heddle-opt: '" << word << "' is not an option\n";
      return false;
    }
  }
  if (line.input.empty())
    llvm::errs() << "heddle-opt: no input: FILE.ll, or - for stdin\n";
  request.cpu = line.cpu.c_str();
  request.print_after = line.print_after.c_str();
  request.fatal = [](void*, const char* message) {
    llvm::errs() << "fatal error: " << message << "\n";
    std::exit(3);
  };
  return !line.input.empty();
}

} // namespace

int main(int count, char** words) {
  CommandLine line;
  if (!parse(count, words, line))
    return 2;
  const FatalErrorScope fatal_errors(line.request);
  Build build(line.request);
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseIRFile(line.input, diagnostic, build.context);
  if (!module) {
    diagnostic.print("heddle-opt", llvm::errs());
    return 2;
  }
  if (llvm::verifyModule(*module, &llvm::errs())) {
    llvm::errs() << "heddle-opt: the input is not valid IR\n";
    return 2;
  }
  const auto target = take_target_machine(find_cpu(line.cpu), llvm::CodeGenOptLevel::Default);
  if (!target) {
    llvm::errs() << "heddle-opt: unknown CPU '" << line.cpu << "'\n";
    return 2;
  }
  Compilation compilation(build, *target);
  recover_kernels(*module, compilation.kernels);
  // Parameters for the state of the work-item, which passes have added, follow the arguments.
  for (auto& kernel : compilation.kernels)
    if (const auto* types = kernel.body->getMetadata("kernel_arg_type");
        types != nullptr && types->getNumOperands() <= kernel.body->arg_size() &&
        !describe_arguments(*kernel.body, types->getNumOperands(), build, kernel.metadata)) {
      llvm::errs() << build.log;
      return 2;
    }
  PassRunner runner(compilation, "heddle-opt", {});
  register_passes(runner.builder(), compilation);
  VectorPlan plan;
  if (const auto lanes = line.request.specialization.lanes; lanes != 0)
    plan.width = lanes;
  register_printers(runner.builder(), plan);
  llvm::ModulePassManager passes;
  if (auto error = runner.builder().parsePassPipeline(passes, line.passes)) {
    llvm::errs() << "heddle-opt: " << llvm::toString(std::move(error)) << "\n";
    return 2;
  }
  const bool ok = runner.run(passes, *module);
  llvm::errs() << build.log;
  module->print(llvm::outs(), nullptr);
  return ok ? 0 : 1;
}
