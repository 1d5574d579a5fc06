// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs requests of compiler/interface/compiler_api.h, each on a thread with a large stack, and
// converts a crash, an abort or an endless build to a failed build.
#pragma once

#include "compiler/interface/compiler_api.h"
#include "compiler/interface/lane_dimension.h"
#include "runtime/program/unit.h"

#include <array>
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
  heddle_goal goal = HEDDLE_GOAL_EXECUTABLE;
  std::string source;
  std::vector<std::byte> il; // a SPIR-V module in place of the source
  std::vector<std::pair<std::uint32_t, std::vector<std::byte>>> spec_constants;
  std::string source_name;
  std::string working_directory;                            // empty: #include reads no files
  std::vector<std::pair<std::string, std::string>> headers; // name, text
  std::vector<std::vector<std::byte>> inputs;               // bitcode, for links and units
  std::string kernel;                                       // of a unit
  std::uint32_t lanes = 0, rows = 0;                        // of a unit; 0: HEDDLE_WIDTH and _ROWS
  std::array<std::uint64_t, 3> local_size{};                // of a unit; zeros: any
  LaneDimension lane_dimension = LaneDimension::first;
  bool long_rows = false;               // as in heddle_request
  bool whole_groups = false;            // as in heddle_request
  std::vector<KnownArgument> arguments; // of a unit
  bool assume_disjoint_arguments = false;
  bool is_first = false;
  std::shared_ptr<const std::uint32_t> cancelled; // as in heddle_request; may be null
  std::vector<std::string> options;
  // Called some ten times a second while the compiler runs, on the thread that asked; may be empty.
  std::function<void()> keep_alive;
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
