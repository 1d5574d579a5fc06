// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is recorded, or enqueued command by command: kernels over memory of their own, whose results
// are known.
#pragma once

#include "tests/api/support.h"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::bench {

using namespace heddle::test;

struct Step {
  cl_kernel kernel;
  size_t global, local;
  std::vector<size_t> after; // the steps that it waits for, out of order
};

struct Workload {
  std::string name;
  std::vector<Step> steps;
  bool out_of_order = false; // in order otherwise
  double parts = 1;          // times are given for each of so many
  int rounds = 100;          // of measurements
  std::vector<Buffer> memory;
  std::vector<Kernel> kernels;
  // Contents before the first run, by blocking writes.
  std::function<void(cl_command_queue)> reset;
  // Throws unless the contents are those after so many runs since the last reset.
  std::function<void(cl_command_queue, int runs)> check;
};

using MakeWorkload = Workload (*)(cl_context context, cl_program program, bool small);

// Of all kernels of the workloads, and of `add_value`, which adds its second argument, an int, to
// the int behind the first.
extern const char* const kSource;

Workload thousand_empty_kernels(cl_context context, cl_program program, bool small);
Workload ten_thousand_empty_kernels(cl_context context, cl_program program, bool small);
Workload chain_of_5_us(cl_context context, cl_program program, bool small);
Workload chain_of_50_us(cl_context context, cl_program program, bool small);
Workload eight_branches(cl_context context, cl_program program, bool small);
// One iteration each.
Workload small_conjugate_gradients(cl_context context, cl_program program, bool small);
Workload large_conjugate_gradients(cl_context context, cl_program program, bool small);

// Throws if the result is wrong.
inline void require(bool condition, const std::string& what) {
  if (!condition)
    throw std::runtime_error("wrong result: " + what);
}

} // namespace heddle::bench
