// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle_compiler_get_api.
#include "compiler/interface/compiler_api.h"
#include "compiler/pipeline.h"
#include "compiler/support/build.h"
#include "compiler/support/fatal_errors.h"
#include "llvm/Config/llvm-config.h"

#include <exception>
#include <memory>
#include <new>
#include <optional>

namespace heddle::compiler {
namespace {

// A result with the memory that it points to.
struct Result : heddle_result {
  std::string log_text;
  std::vector<std::byte> output_bytes;
  std::vector<std::byte> metadata_bytes;
  std::vector<std::string> dependency_names;
  std::vector<const char*> dependency_pointers;

  void publish() {
    log = log_text.c_str();
    output = {output_bytes.data(), output_bytes.size()};
    metadata = {metadata_bytes.data(), metadata_bytes.size()};
    dependency_pointers.clear();
    for (const auto& name : dependency_names)
      dependency_pointers.push_back(name.c_str());
    dependencies = dependency_pointers.data();
    dependency_count = dependency_pointers.size();
  }
};

void work_off(const heddle_request& request, Result& result) {
  const FatalErrorScope fatal_errors(request);
  auto chosen = request;
  // What each work-item does is told apart only where each runs by itself (of divergence:
  // Kernel::checks_divergence).
  if ((request.checks & HEDDLE_CHECK_RACE) != 0) {
    chosen.force_fibers = 1;
    chosen.specialization.lanes = 1;
  }
  std::optional<Build> build;
  const auto outcome = run_pipeline(chosen, build, result.output_bytes);
  switch (outcome) {
  case Outcome::ok:
    result.status = HEDDLE_OK;
    break;
  case Outcome::failed:
    result.status = HEDDLE_BUILD_FAILURE;
    break;
  case Outcome::invalid_input:
    result.status = HEDDLE_INVALID_INPUT;
    break;
  }
  if (outcome != Outcome::ok)
    result.output_bytes.clear();
  else if (request.goal != HEDDLE_GOAL_OBJECT && request.goal != HEDDLE_GOAL_LIBRARY)
    result.metadata_bytes = serialize(build->metadata);
  result.log_text = std::move(build->log);
  result.dependency_names = std::move(build->dependencies);
}

heddle_result* run(const heddle_request* request) {
  auto result = std::make_unique<Result>();
  result->status = HEDDLE_BUILD_FAILURE;
  try {
    work_off(*request, *result);
  } catch (const std::bad_alloc&) {
    result->status = HEDDLE_BUILD_FAILURE;
    result->output_bytes = {};
    result->log_text = "error: out of memory\n";
  } catch (const std::exception& error) {
    result->status = HEDDLE_BUILD_FAILURE;
    result->output_bytes = {};
    result->log_text = std::string("error: ") + error.what() + "\n";
  }
  result->publish();
  return result.release();
}

void free_result(heddle_result* result) { delete static_cast<Result*>(result); }

} // namespace
} // namespace heddle::compiler

extern "C" __attribute__((visibility("default"))) const heddle_compiler_api*
heddle_compiler_get_api(void) {
  static const heddle_compiler_api api = {HEDDLE_COMPILER_API_VERSION, LLVM_VERSION_STRING,
                                          heddle::compiler::run, heddle::compiler::free_result};
  return &api;
}
