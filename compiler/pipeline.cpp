#include "compiler/pipeline.h"

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/target.h"
#include "compiler/frontend/frontend.h"
#include "compiler/link/bitcode.h"
#include "compiler/link/elf_linker.h"
#include "compiler/passes/double_roots.h"
#include "compiler/passes/find_kernels.h"
#include "compiler/passes/group_turns.h"
#include "compiler/passes/guard_division.h"
#include "compiler/passes/inline_copies.h"
#include "compiler/passes/inline_marks.h"
#include "compiler/passes/lane_functions.h"
#include "compiler/passes/link_builtins.h"
#include "compiler/passes/lower_barriers.h"
#include "compiler/passes/lower_local_atomics.h"
#include "compiler/passes/lower_printf.h"
#include "compiler/passes/lower_work_item_functions.h"
#include "compiler/passes/machine_math.h"
#include "compiler/passes/make_entry_points.h"
#include "compiler/passes/meet_around_loops.h"
#include "compiler/passes/memory_checks.h"
#include "compiler/passes/near_accesses.h"
#include "compiler/passes/optimise.h"
#include "compiler/passes/place_local_variables.h"
#include "compiler/passes/place_program_scope.h"
#include "compiler/passes/read_in_place.h"
#include "compiler/passes/retype_opaque.h"
#include "compiler/passes/specialise_copies.h"
#include "compiler/passes/steady_copies.h"
#include "compiler/passes/stream_stores.h"
#include "compiler/passes/tile_contents.h"
#include "compiler/passes/work_item_state.h"
#include "compiler/spirv/reader.h"
#include "compiler/support/build.h"
#include "compiler/support/explanation.h"
#include "compiler/vectorise/vectorise.h"

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
      module_ = build_.request.il.size != 0 ? read_spirv(build_) : compile_source(build_);
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
    target_ = take_target_machine(find_cpu(cpu), build_.options.optimise);
    if (!target_)
      return build_.error("unknown CPU '" + cpu + "'");
    build_.timer.mark("target");
    if (checks_memory())
      insert_memory_checks(module);
    if (!link_builtins(module, build_, !has_feature(*target_, "f16c")))
      return false;
    done("builtins");
    retype_opaque(module);
    if (!find_kernels(module, build_, kernels_))
      return false;
    build_.timer.mark("find-kernels");
    guard_division(module, (build_.request.checks & HEDDLE_CHECK_DIVISION) != 0);
    done("guard-division");
    collect_program_scope(module);
    add_work_item_state(module, kernels_);
    done("state");
    place_local_variables(module, kernels_);
    if (!place_program_scope(module, build_, kernels_))
      return false;
    for (auto& kernel : kernels_)
      if (kernel.metadata.checks_memory = checks_memory(); !kernel.metadata.checks_memory)
        kernel.metadata.variables.clear(); // nobody asks for them
    done("variables");
    mark_barriers(module, kernels_);
    lower_work_item_functions(module);
    if (!lower_printf(module, build_))
      return false;
    done("work-items");
    mark_for_inlining(module);
    build_.timer.mark("inline-marks");
    return build_.within_limits();
  }

  // From work-items to sub-groups and groups.
  bool widen() {
    auto& module = *module_;
    retarget(module, *target_);
    keep_machine_math(module, *target_);
    build_.timer.mark("retarget");
    // Nothing calls a body yet.
    for (auto& kernel : kernels_)
      kernel.body->setLinkage(llvm::GlobalValue::ExternalLinkage);
    if (!inline_marked(module, *target_, build_))
      return false;
    lower_group_turns(module, kernels_);
    done("inline");
    for (auto& kernel : kernels_) {
      if (build_.options.optimise)
        simplify_for_vectoriser(*kernel.body, *target_, build_);
      done("simplify");
      if (build_.options.optimise && !checks_memory())
        read_in_place(kernel);
      if (build_.options.optimise)
        fetch_steadily(*kernel.body);
      // Forced fibers are what others are compared with.
      if (build_.options.optimise && !checks_memory() && build_.request.force_fibers == 0)
        meet_around_loops(*kernel.body);
    }
    lower_local_variables(module);
    lower_memory_checks(module, kernels_);
    for (auto& kernel : kernels_) {
      vectorise(kernel, *target_, build_);
      if (!build_.within_limits())
        return false;
    }
    build_.timer.mark("width"); // of kernels that stay scalar
    lower_machine_math(module);
    share_double_roots(module, *target_);
    split_off_near_accesses(module, *target_);
    if (build_.options.optimise)
      for (auto& kernel : kernels_)
        stream_stores(kernel, *target_);
    done("vectorise");
    lower_local_atomics(module);
    lower_lane_functions(module);
    lower_copies_in_place(module);
    if (build_.options.optimise)
      inline_small_copies(module);
    specialise_copies(module, *target_);
    lower_barriers(module);
    make_entry_points(module, build_, kernels_);
    set_target_attributes(module, *target_);
    done("entry-points");
    return build_.within_limits();
  }

  bool make_object() {
    if (!optimise(*module_, *target_, build_, kernels_))
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
