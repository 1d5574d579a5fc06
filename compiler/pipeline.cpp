// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline.h"

#include "compiler/codegen/codegen.h"
#include "compiler/frontend/frontend.h"
#include "compiler/ir/explanation.h"
#include "compiler/ir/unchecked_kernel.h"
#include "compiler/link/bitcode.h"
#include "compiler/link/elf_linker.h"
#include "compiler/pass_pipeline.h"
#include "compiler/program_unit.h"
#include "compiler/spirv/reader.h"
#include "compiler/support/build.h"
#include "compiler/target/target.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

// The module of the source, or of the inputs that are linked.
Outcome make_module(Build& build, std::unique_ptr<llvm::Module>& module) {
  if (build.request.goal == HEDDLE_GOAL_UNIT) {
    module = read_unit(build);
    return module ? Outcome::ok : Outcome::invalid_input;
  }
  if (build.request.input_count == 0) {
    module = build.request.il.size != 0 ? read_spirv(build) : compile_source(build);
    return module ? Outcome::ok : Outcome::failed;
  }
  switch (link_inputs(build, module)) {
  case BitcodeStatus::not_bitcode:
    return Outcome::invalid_input;
  case BitcodeStatus::failed:
    return Outcome::failed;
  case BitcodeStatus::ok:
    break;
  }
  return module ? Outcome::ok : Outcome::failed;
}

// For the table of timings: "read kernel 'k', 16 wide, 4 rows, groups of 64x4x1"
std::string name_of_unit(const heddle_request& request) {
  std::string name = "read kernel '" + std::string(request.kernel) + "'";
  const auto& known = request.specialization;
  if (known.lanes != 0)
    name += ", " + std::to_string(known.lanes) + " wide";
  if (known.rows != 0)
    name += ", " + std::to_string(known.rows) + " rows";
  if (const auto& size = known.local_size; size[0] != 0)
    name += ", groups of " + std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" +
            std::to_string(size[2]) + (known.has_whole_groups ? "" : " and smaller ones");
  return name;
}

// Whether a kernel requires sub-groups of several work-items, which only vector code has.
bool requires_sub_groups(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) {
    const auto* node = function.getMetadata("intel_reqd_sub_group_size");
    return node != nullptr &&
           !llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->isOne();
  });
}

bool make_shared_object(Compilation& compilation, llvm::Module& module,
                        std::vector<std::byte>& output) {
  auto& build = compilation.build;
  llvm::SmallVector<char, 0> object;
  if (build.kept.are_wanted())
    build.kept.add("kernels.s", generate_assembly(module, compilation.target, build));
  if (!generate_code(module, compilation.target, build, compilation.kernels, object))
    return false;
  build.timer.mark("codegen");
  if (!build.within_limits() || !link_shared_object(object, build, output))
    return false;
  build.timer.mark("link");
  build.kept.add("kernels.o", {object.data(), object.size()});
  build.kept.add("kernels.so", {reinterpret_cast<const char*>(output.data()), output.size()});
  return true;
}

void describe_kernels(Compilation& compilation) {
  auto& build = compilation.build;
  std::string remarks;
  for (auto& kernel : compilation.kernels) {
    if (is_unchecked_kernel(kernel))
      continue;
    if (build.collects_remarks())
      remarks += explain(kernel);
    kernel.metadata.remarks = first_remarks(kernel);
    kernel.metadata.checks_memory = compilation.calls_checks(kernel);
    if (!kernel.metadata.checks_memory) // only checks ask for them
      kernel.metadata.variables.clear();
    build.metadata.kernels.push_back(std::move(kernel.metadata));
  }
  if (build.options.explain)
    build.log += remarks;
  build.kept.add("remarks.txt", remarks);
}

llvm::CodeGenOptLevel codegen_level(const Build& build) {
  if (build.options.optimize)
    return llvm::CodeGenOptLevel::Default;
  return build.request.specialization.effort == Effort::little ? llvm::CodeGenOptLevel::Less
                                                               : llvm::CodeGenOptLevel::None;
}

// A unit from the program's module. Nothing: its lanes had better run along the second dimension.
std::optional<Outcome> make_unit(Build& build, std::unique_ptr<llvm::Module> module,
                                 std::vector<std::byte>& output, StageObserver observe) {
  const auto& request = build.request;
  if (request.specialization.lanes == 0 && requires_sub_groups(*module))
    build.options.optimize = true;
  const llvm::StringRef cpu = request.cpu != nullptr ? request.cpu : "native";
  const auto target = take_target_machine(find_cpu(cpu), codegen_level(build));
  if (!target) {
    build.error("unknown CPU '" + cpu + "'");
    return Outcome::failed;
  }
  build.timer.mark("target");
  Compilation compilation(build, *target);
  switch (run_passes(compilation, module, observe)) {
  case PassOutcome::failed:
    return Outcome::failed;
  case PassOutcome::prefers_second_dimension:
    return std::nullopt;
  case PassOutcome::ok:
    break;
  }
  if (!make_shared_object(compilation, *module, output))
    return Outcome::failed;
  describe_kernels(compilation);
  return Outcome::ok;
}

std::optional<Outcome> attempt(Build& build, std::vector<std::byte>& output,
                               StageObserver observe) {
  std::unique_ptr<llvm::Module> module;
  if (const auto outcome = make_module(build, module); outcome != Outcome::ok)
    return outcome;
  if (!build.within_limits())
    return Outcome::failed;
  build.timer.mark(build.request.goal == HEDDLE_GOAL_UNIT ? name_of_unit(build.request)
                                                          : "frontend");
  if (observe)
    observe("frontend", *module);
  build.kept.begin(*module);
  switch (build.request.goal) {
  case HEDDLE_GOAL_OBJECT:
  case HEDDLE_GOAL_LIBRARY:
    write_bitcode(*module, output);
    return Outcome::ok;
  case HEDDLE_GOAL_PROGRAM:
    return write_program(build, *module, output) ? Outcome::ok : Outcome::failed;
  case HEDDLE_GOAL_UNIT:
    break;
  }
  return make_unit(build, std::move(module), output, observe);
}

} // namespace

Outcome run_pipeline(heddle_request& request, std::optional<Build>& build,
                     std::vector<std::byte>& output, StageObserver observe) {
  build.emplace(request);
  if (const auto outcome = attempt(*build, output, observe))
    return *outcome;
  request.specialization.lane_dimension = LaneDimension::second;
  build.emplace(request);
  return *attempt(*build, output, observe);
}

} // namespace heddle::compiler
