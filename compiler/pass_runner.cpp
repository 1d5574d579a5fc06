// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pass_runner.h"

#include "compiler/analysis/address_space_aa.h"
#include "compiler/ir/vectorized_attribute.h"
#include "compiler/lower/inline_policy.h"
#include "compiler/pass_registry.h"
#include "compiler/skipped_passes.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/LoopLoadElimination.h"

namespace heddle::compiler {
namespace {

// DSE compares each store with every access that it may reach: quadratic in huge functions.
constexpr unsigned kMaxInstructionsForDse = 8'000;

// Null if the unit is neither a function nor a part of one.
const llvm::Function* function_of(const llvm::Any& unit) {
  if (const auto* function = llvm::any_cast<const llvm::Function*>(&unit))
    return *function;
  if (const auto* loop = llvm::any_cast<const llvm::Loop*>(&unit))
    return (*loop)->getHeader()->getParent();
  return nullptr;
}

// Null if the unit is none that Heddle's passes run on.
const llvm::Module* module_of(const llvm::Any& unit) {
  if (const auto* module = llvm::any_cast<const llvm::Module*>(&unit))
    return *module;
  const auto* function = function_of(unit);
  return function != nullptr ? function->getParent() : nullptr;
}

void print(const llvm::Any& unit, llvm::StringRef pass) {
  auto& out = llvm::errs();
  if (const auto* function = function_of(unit)) {
    out << "; IR after " << pass << " on " << function->getName() << "\n" << *function;
  } else if (const auto* module = module_of(unit)) {
    out << "; IR after " << pass << "\n" << *module;
  }
}

// heddle_request::print_changed.
constexpr std::uint32_t kPrintsIr = 1, kPrintsNames = 2;

bool is_empty(const char* list) { return list == nullptr || *list == 0; }

// LLVM enables its printer by a command-line flag, which is global: this one is always enabled.
class ChangedPrinter : public llvm::IRChangedPrinter {
 public:
  explicit ChangedPrinter(llvm::PassInstrumentationCallbacks& callbacks)
      : llvm::IRChangedPrinter(false) {
    registerRequiredCallbacks(callbacks);
  }
};

} // namespace

// HEDDLE_PRINT_AFTER, _PRINT_CHANGED, _VERIFY_EACH and _TIME_PASSES. LLVM's
// StandardInstrumentations would bring all of these, but reads them from global command-line flags,
// which the linker's driver resets while other builds run, and would honor optnone, which marks
// functions here that are too large for code generation's optimizations only.
class PassRunner::Instrumentation {
 public:
  Instrumentation(PassRunner& runner, StageObserver observe)
      : runner_(runner), observe_(observe),
        prints_(!is_empty(runner.compilation_.build.request.print_after)) {
    auto& callbacks = runner.callbacks_;
    auto& build = runner.compilation_.build;
    const auto& request = build.request;
    build.timer.watch(callbacks);
    callbacks.registerBeforeNonSkippedPassCallback([this](llvm::StringRef pass, llvm::Any) {
      if (is_heddles(pass))
        runner_.compilation_.build.timer.mark(runner_.stage_); // LLVM's passes up to here
    });
    callbacks.registerAfterPassCallback(
        [this](llvm::StringRef pass, llvm::Any unit, const llvm::PreservedAnalyses& preserved) {
          after(pass, unit, !preserved.areAllPreserved());
        });
    if (request.print_changed == kPrintsIr)
      changes_ = std::make_unique<ChangedPrinter>(callbacks);
    if (request.verify_each != 0 && runner.may_verify_) {
      verifier_ = std::make_unique<llvm::VerifyInstrumentation>(false);
      verifier_->registerCallbacks(callbacks, &runner.modules_);
    }
  }

 private:
  bool is_heddles(llvm::StringRef class_name) const { return !pass_name(class_name).empty(); }

  void after(llvm::StringRef class_name, const llvm::Any& unit, bool has_changed) {
    const auto name = pass_name(class_name);
    if (name.empty()) {
      // LLVM makes a table of all passes for the first name that is asked for.
      if (prints_ && wants_print(runner_.callbacks_.getPassNameForClassName(class_name)))
        print(unit, runner_.callbacks_.getPassNameForClassName(class_name));
      return;
    }
    runner_.compilation_.build.timer.mark(name);
    if (has_changed && runner_.compilation_.build.request.print_changed == kPrintsNames)
      llvm::errs() << "changed by " << name << "\n";
    if (wants_print(name))
      print(unit, name);
    if (const auto* module = module_of(unit); module != nullptr && observe_)
      observe_(name, *module);
  }

  bool wants_print(llvm::StringRef name) const {
    const auto* list = runner_.compilation_.build.request.print_after;
    return is_listed(list, name) || is_listed(list, "*");
  }

  PassRunner& runner_;
  StageObserver observe_;
  const bool prints_;
  std::unique_ptr<ChangedPrinter> changes_;
  std::unique_ptr<llvm::VerifyInstrumentation> verifier_;
};

PassRunner::PassRunner(Compilation& compilation, llvm::StringRef stage, StageObserver observe,
                       const llvm::PipelineTuningOptions& tuning, bool skips_vectorized,
                       bool may_verify)
    : compilation_(compilation), stage_(stage), skips_vectorized_(skips_vectorized),
      may_verify_(may_verify), builder_(&compilation.target, tuning, std::nullopt, &callbacks_) {
  skip_unwanted_passes();
  instrumentation_ = std::make_unique<Instrumentation>(*this, observe);
  builder_.registerModuleAnalyses(modules_);
  builder_.registerCGSCCAnalyses(components_);
  functions_.registerPass([] { return AddressSpaceAA(); });
  functions_.registerPass([this] {
    auto aliases = builder_.buildDefaultAAPipeline();
    aliases.registerFunctionAnalysis<AddressSpaceAA>();
    return aliases;
  });
  builder_.registerFunctionAnalyses(functions_);
  builder_.registerLoopAnalyses(loops_);
  builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
}

PassRunner::~PassRunner() = default;

// When the attempt is over or past a limit what is left is skipped. Functions of the library that
// stay functions were optimized when Heddle was built. ForwardStoresToNextIterationPass has done
// what LoopLoadElimination would do at the end of LLVM's -O2: it takes a tenth of a long scalar
// kernel's build.
void PassRunner::skip_unwanted_passes() {
  const auto* skipped = compilation_.build.request.skipped_passes;
  if (!is_empty(skipped))
    callbacks_.registerShouldRunOptionalPassCallback(
        [this, skipped](llvm::StringRef pass, llvm::Any) {
          return !is_listed(skipped, pass_name(pass)) &&
                 !is_listed(skipped, callbacks_.getPassNameForClassName(pass));
        });
  callbacks_.registerShouldRunOptionalPassCallback([this](llvm::StringRef pass, llvm::Any unit) {
    if (compilation_.is_over() || compilation_.build.limits.exceeded() != nullptr ||
        pass == llvm::LoopLoadEliminationPass::name())
      return false;
    const auto* function = function_of(unit);
    return function == nullptr ||
           (!is_kept_out_of_line(*function) &&
            !(skips_vectorized_ && function->hasFnAttribute(kVectorizedAttribute)) &&
            (pass != llvm::DSEPass::name() ||
             function->getInstructionCount() <= kMaxInstructionsForDse));
  });
}

bool PassRunner::run(llvm::ModulePassManager& passes, llvm::Module& module) {
  passes.run(module, modules_);
  compilation_.build.timer.mark(stage_);
  return compilation_.build.within_limits() && !compilation_.is_over();
}

} // namespace heddle::compiler
