// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backend: an OpenCL driver or hand-written code. One of the two is linked into a program.
#pragma once

#include "tests/bench/frame/workload.h"

#include <stdexcept>

namespace heddle::bench {

// The case cannot run (a missing extension, no hand-written code); what() is the reason.
struct Skipped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Runner {
 public:
  virtual ~Runner() = default;
  // Enqueues the workload `count` times and waits for all of it.
  virtual void run(size_t count) = 0;
  // Copies the results to workload.view().
  virtual void fetch() = 0;
};

// The name of the backend, for the report.
std::string backend_name();

// Builds kernels and fills buffers; throws Skipped, or std::runtime_error for a failure. The
// workload must outlive the runner.
std::unique_ptr<Runner> make_runner(Workload& workload, const std::string& case_name);

} // namespace heddle::bench
