// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of the tests of device-side enqueue: a default device queue, and programs for it.
#pragma once

#include "tests/api/api_test.h"

#include <string>
#include <vector>

namespace heddle::test {

inline constexpr cl_command_queue_properties kOnDevice =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

inline Queue make_device_queue(cl_context context, cl_command_queue_properties more = 0,
                               cl_uint bytes = 0) {
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, kOnDevice | more,
                                            bytes != 0 ? cl_queue_properties{CL_QUEUE_SIZE} : 0,
                                            bytes, 0};
  cl_int status = 1;
  Queue queue(clCreateCommandQueueWithProperties(context, device(), properties, &status));
  check(status, "clCreateCommandQueueWithProperties");
  return queue;
}

class DeviceEnqueueTest : public ApiTest {
 protected:
  void SetUp() override {
    if (info<cl_uint>(device(), CL_DEVICE_MAX_ON_DEVICE_QUEUES) == 0)
      GTEST_SKIP() << "no device queues";
    default_queue_ = make_device_queue(context_, CL_QUEUE_ON_DEVICE_DEFAULT);
  }

  // Runs kernel k(global int* out, ...) of the source in `items` work-items; `out` is zero before.
  template <class... Arguments>
  std::vector<cl_int> run_source(const std::string& source, size_t items, size_t out_count,
                                 const std::string& options, const Arguments&... arguments) {
    const auto program = build(context_, source, ("-cl-std=CL3.0 " + options).c_str());
    const auto kernel = make_kernel(program, "k");
    const std::vector<cl_int> zeros(out_count);
    const auto out = make_buffer(context_, out_count * sizeof(cl_int), zeros.data());
    set_args(kernel, out, arguments...);
    run(queue_, kernel, {{items}, {}, {}});
    return read<cl_int>(queue_, out, out_count);
  }

  Queue default_queue_;
};

} // namespace heddle::test
