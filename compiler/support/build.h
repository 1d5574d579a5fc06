// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A request while it is processed: options, log, limits and timings.
#pragma once

#include "compiler/interface/compiler_api.h"
#include "compiler/interface/metadata.h"
#include "compiler/support/build_options.h"
#include "compiler/support/kept_files.h"
#include "compiler/support/limits.h"
#include "compiler/support/phase_timer.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

#include <string>
#include <vector>

namespace heddle::compiler {

class Build {
 public:
  explicit Build(const heddle_request& request);
  Build(const Build&) = delete;
  Build& operator=(const Build&) = delete;

  const heddle_request& request;
  Options options; // run_pipeline() optimizes kernels that need it in spite of -cl-opt-disable
  Limits limits;
  PhaseTimer timer;
  llvm::LLVMContext context;
  KeptFiles kept; // destroyed before the context
  ProgramMetadata metadata;
  std::string log;
  std::vector<std::string> dependencies; // absolute paths of the files read by #include
  bool failed = false;

  // Adds "error: MESSAGE" to the log and marks the build as failed. Returns false, for `return
  // build.error(..)`.
  bool error(const llvm::Twine& message);
  // The same for a diagnostic of LLVM, if it is an error.
  void take_errors(const llvm::DiagnosticInfo& info);
  // False, with a message in the log, after a limit was exceeded.
  bool within_limits();
  // Whether remarks take time to collect: for `heddle explain` and HEDDLE_KEEP.
  bool collects_remarks() const { return options.explain || kept.are_wanted(); }
};

} // namespace heddle::compiler
