// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of kernels on this command's driver, for what the command measures of the machine.
#pragma once

#include "tools/heddle/driver.h"

#include <CL/cl.h>

#include <cstddef>
#include <initializer_list>
#include <string>

namespace heddle {

// Gives nothing back: the process ends soon. All functions throw DriverFailure.
class Measurement {
 public:
  // Sets the environment for it: what is measured is what the driver can do, not where a profile or
  // a trace of it goes, and each kernel is built once, as well as possible: settings for looking at
  // the compiler must not decide what later processes build. Then builds the source.
  explicit Measurement(const char* source);

  unsigned units() const { return units_; }
  cl_ulong cache_bytes() const;
  cl_mem buffer(std::size_t bytes) const;
  // Filled with copies of the value.
  template <class Value>
  cl_mem buffer_of(std::size_t count, Value value) const {
    auto* memory = buffer(count * sizeof value);
    check(driver_.functions->clEnqueueFillBuffer(queue_, memory, &value, sizeof value, 0,
                                                 count * sizeof value, 0, nullptr, nullptr),
          "clEnqueueFillBuffer");
    return memory;
  }
  void read(cl_mem from, void* to, std::size_t bytes) const;
  cl_kernel make_kernel(const char* name) const;
  template <class Value>
  void set(cl_kernel kernel, cl_uint index, Value value) const {
    check(driver_.functions->clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
  }
  // The shortest of so many launches in groups of 64, in seconds; the first one is not counted.
  double best_time(cl_kernel kernel, std::size_t items, int runs) const;

 private:
  const Driver driver_;
  cl_device_id device_ = nullptr;
  cl_uint units_ = 1;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
};

} // namespace heddle
