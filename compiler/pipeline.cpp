#include "compiler/pipeline.h"

#include "compiler/async_copy/elide_local_copies.h"
#include "compiler/async_copy/expand_copies.h"
#include "compiler/async_copy/insert_copy_prefetch.h"
#include "compiler/async_copy/local_buffer_forwarding.h"
#include "compiler/async_copy/specialize_copies.h"
#include "compiler/codegen/codegen.h"
#include "compiler/frontend/frontend.h"
#include "compiler/ir/explanation.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/target.h"
#include "compiler/ir/target_info.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/link/bitcode.h"
#include "compiler/link/elf_linker.h"
#include "compiler/lower/add_work_item_params.h"
#include "compiler/lower/find_kernels.h"
#include "compiler/lower/guard_division.h"
#include "compiler/lower/inline_policy.h"
#include "compiler/lower/insert_memory_checks.h"
#include "compiler/lower/link_builtins.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/lower/lower_collective_buffers.h"
#include "compiler/lower/lower_local_atomics.h"
#include "compiler/lower/lower_local_variables.h"
#include "compiler/lower/lower_printf.h"
#include "compiler/lower/lower_program_scope.h"
#include "compiler/lower/lower_target_ext_types.h"
#include "compiler/lower/lower_work_item_queries.h"
#include "compiler/optimize/nontemporal_stores.h"
#include "compiler/optimize/pass_pipelines.h"
#include "compiler/support/build.h"
#include "compiler/vectorize/vectorize.h"
#include "compiler/workgroup/hoist_barriers.h"
#include "compiler/workgroup/kernel_wrappers.h"
#include "compiler/x86/coalesce_gathers.h"
#include "compiler/x86/expand_sqrt_f64.h"
#include "compiler/x86/lower_target_math.h"

namespace heddle::compiler {
namespace {

class Pipeline {
 public:
  Pipeline(Build& build, StageObserver observe) : build_(build), observe_(observe) {}

  Outcome run(std::vector<std::byte>& output) {
    if (build_.request.input_count != 0) {
      switch (link_inputs(build_, module_)) {
      case BitcodeStatus::not_bitcode:
        return Outcome::invalid_input;
      case BitcodeStatus::failed:
        return Outcome::failed;
      case BitcodeStatus::ok:
        break;
      }
    } else {
      module_ = compile_source(build_);
    }
    if (!module_ || !build_.within_limits())
      return Outcome::failed;
    done("frontend");
    if (build_.request.goal != HEDDLE_GOAL_EXECUTABLE) {
      write_bitcode(*module_, output);
      return Outcome::ok;
    }
    return lower() && widen() && make_object() && link_shared_object(object_, build_, output) &&
                   finish()
               ? Outcome::ok
               : Outcome::failed;
  }

 private:
  void done(const char* stage) {
    build_.timer.mark(stage);
    if (observe_)
      observe_(stage, *module_);
  }

  bool checks_memory() const { return (build_.request.checks & HEDDLE_CHECK_MEMORY) != 0; }

  // From OpenCL's functions and variables to plain ones.
  bool lower() {
    auto& module = *module_;
    const llvm::StringRef cpu = build_.request.cpu != nullptr ? build_.request.cpu : "native";
    target_ = take_target_machine(find_cpu(cpu), build_.options.optimize);
    if (!target_)
      return build_.error("unknown CPU '" + cpu + "'");
    build_.timer.mark("target");
    if (checks_memory())
      insert_memory_checks(module);
    if (!link_builtins(module, build_, !TargetInfo(*target_).has_f16c))
      return false;
    done("builtins");
    lower_target_ext_types(module);
    if (!find_kernels(module, build_, kernels_))
      return false;
    build_.timer.mark("find-kernels");
    guard_division(module, (build_.request.checks & HEDDLE_CHECK_DIVISION) != 0);
    done("guard-division");
    collect_program_scope(module);
    add_work_item_params(module, kernels_);
    done("state");
    allocate_local_variables(module, kernels_);
    if (!lower_program_scope(module, build_, kernels_))
      return false;
    for (auto& kernel : kernels_)
      if (kernel.metadata.checks_memory = checks_memory(); !kernel.metadata.checks_memory)
        kernel.metadata.variables.clear(); // nobody asks for them
    done("variables");
    mark_barriers(module, kernels_);
    lower_work_item_queries(module);
    if (!lower_printf(module, build_))
      return false;
    done("work-items");
    apply_inline_policy(module);
    build_.timer.mark("inline-marks");
    return build_.within_limits();
  }

  // From work-items to sub-groups and groups.
  bool widen() {
    auto& module = *module_;
    retarget(module, *target_);
    mark_target_math(module, TargetInfo(*target_));
    build_.timer.mark("retarget");
    // Nothing calls a body yet.
    for (auto& kernel : kernels_)
      kernel.body->setLinkage(llvm::GlobalValue::ExternalLinkage);
    if (!inline_marked(module, *target_, build_))
      return false;
    lower_collective_buffers(module, kernels_);
    done("inline");
    for (auto& kernel : kernels_) {
      if (build_.options.optimize)
        simplify_for_vectorizer(*kernel.body, *target_, build_);
      done("simplify");
      if (build_.options.optimize && !checks_memory())
        elide_local_copies(kernel);
      if (build_.options.optimize)
        insert_copy_prefetch(*kernel.body);
      // Forced fibers are what others are compared with.
      if (build_.options.optimize && !checks_memory() && build_.request.force_fibers == 0)
        hoist_barriers(*kernel.body);
    }
    lower_local_variables(module);
    lower_memory_checks(module, kernels_);
    for (auto& kernel : kernels_) {
      vectorize(kernel, TargetInfo(*target_), build_);
      if (!build_.within_limits())
        return false;
    }
    build_.timer.mark("width"); // of kernels that stay scalar
    lower_target_math(module);
    expand_sqrt_f64(module, TargetInfo(*target_));
    coalesce_gathers(module, TargetInfo(*target_));
    if (build_.options.optimize)
      for (auto& kernel : kernels_)
        mark_nontemporal_stores(kernel, TargetInfo(*target_));
    done("vectorise");
    lower_local_atomics(module);
    lower_subgroup_intrinsics(module);
    lower_elided_copies(module);
    if (build_.options.optimize)
      expand_small_copies(module);
    specialize_copies(module, TargetInfo(*target_));
    lower_barriers(module);
    make_kernel_wrappers(module, build_, kernels_);
    set_target_attributes(module, *target_);
    done("entry-points");
    return build_.within_limits();
  }

  bool make_object() {
    if (!optimize(*module_, *target_, build_, kernels_))
      return false;
    done("optimise");
    const bool ok = generate_code(*module_, *target_, build_, kernels_, object_);
    build_.timer.mark("codegen");
    return ok && build_.within_limits();
  }

  bool finish() {
    build_.timer.mark("link");
    for (auto& kernel : kernels_) {
      if (build_.options.explain)
        build_.log += explain(kernel);
      build_.metadata.kernels.push_back(std::move(kernel.metadata));
    }
    return true;
  }

  Build& build_;
  StageObserver observe_;
  std::unique_ptr<llvm::Module> module_;
  TargetMachinePtr target_;
  Kernels kernels_;
  llvm::SmallVector<char, 0> object_;
};

} // namespace

Outcome run_pipeline(Build& build, std::vector<std::byte>& output, StageObserver observe) {
  return Pipeline(build, observe).run(output);
}

} // namespace heddle::compiler
