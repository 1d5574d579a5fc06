// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common code of the programs for pipes: creation, and kernels that return ints.
#pragma once

#include "harness.h"

namespace conformance {

using Ints = std::vector<cl_int>;
constexpr const char* kLanguage = "-cl-std=CL3.0";

class Pipes : public DeviceTest {
 protected:
  void SetUp() override {
    if (version < 200 || !info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_PIPE_SUPPORT))
      GTEST_SKIP() << "no pipes";
    DeviceTest::SetUp();
  }
  Memory make_pipe(cl_uint packet_size, cl_uint max_packets, cl_mem_flags flags = 0) {
    cl_int error = CL_SUCCESS;
    Memory pipe(clCreatePipe(context, flags, packet_size, max_packets, nullptr, &error));
    EXPECT_CL(error);
    return pipe;
  }
  // Runs the kernel, whose last argument is an array of ints, on one work-item or the given range;
  // returns the ints.
  template <class... Arguments>
  Ints answers(cl_kernel kernel, size_t count, const std::vector<size_t>& global,
               const std::vector<size_t>& local, const Arguments&... arguments) {
    Memory out = make_buffer(Ints(count, -1000));
    set_arguments(kernel, arguments..., out);
    run(kernel, global, local);
    return read<cl_int>(out, count);
  }
  template <class... Arguments>
  Ints answers(cl_kernel kernel, size_t count, const Arguments&... arguments) {
    return answers(kernel, count, {1}, {1}, arguments...);
  }
  cl_uint limit(cl_device_info name) { return info<cl_uint>(clGetDeviceInfo, device, name); }
};

} // namespace conformance
