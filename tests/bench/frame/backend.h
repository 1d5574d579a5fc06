// Who does the work: an OpenCL driver, or code by hand. One of the two is linked into a program.
#pragma once

#include "tests/bench/frame/workload.h"

#include <stdexcept>

namespace heddle::bench {

// The case cannot run here (a missing extension, no code by hand); what() says why.
struct Skipped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Runner {
 public:
  virtual ~Runner() = default;
  // Enqueues the workload `count` times and waits for all of it.
  virtual void run(size_t count) = 0;
  // Brings the results to workload.view().
  virtual void fetch() = 0;
};

// Whom the measurements are of, for the report.
std::string backend_name();

// Builds kernels and fills buffers; throws Skipped, or std::runtime_error for a failure. The
// workload must outlive the runner.
std::unique_ptr<Runner> make_runner(Workload& workload, const std::string& case_name);

} // namespace heddle::bench
