// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs requests of compiler/interface/compiler_api.h, each on a thread with a large stack, and
// converts a crash, an abort or an endless build to a failed build.
#pragma once

#include "compiler/interface/compiler_api.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

struct CompileRequest {
  heddle_goal goal = HEDDLE_GOAL_PROGRAM;
  std::string source;
  std::vector<std::byte> il; // a SPIR-V module in place of the source
  std::vector<std::pair<std::uint32_t, std::vector<std::byte>>> spec_constants;
  std::string source_name;
  std::string working_directory;                            // empty: #include reads no files
  std::vector<std::pair<std::string, std::string>> headers; // name, text
  std::vector<std::vector<std::byte>> inputs;               // bitcode, for links and units
  std::string kernel;                                       // of a unit
  Specialization specialization;                            // HEDDLE_WIDTH and _ROWS for zeros
  std::shared_ptr<const std::uint32_t> cancelled;           // as in heddle_request; may be null
  std::vector<std::string> options;
  // Called some ten times a second while the compiler runs, with the processor time that it has
  // taken, on the thread that asked; may be empty.
  std::function<void(std::chrono::nanoseconds)> keep_alive;
};

struct CompileResult {
  heddle_status status = HEDDLE_BUILD_FAILURE;
  std::string log;
  std::vector<std::byte> output;
  std::vector<std::byte> metadata;
  std::vector<std::string> dependencies;
  std::chrono::nanoseconds processor_time{}; // that the compiler took; 0 if it was not called
};

namespace compiler_host {

CompileResult run(CompileRequest request);
// The process exits: from now on, a cancelled request's result does not wait for the compiler,
// which goes on until the process ends, on a thread and with data of its own.
void leave_cancelled() noexcept;
// Whether the user requested output of the compiler, which then compiles even if the cache has the
// result.
bool shows_compilation();

} // namespace compiler_host
} // namespace heddle
