// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context of two sub-devices of one compute unit each, with a queue on either.
#pragma once

#include "tests/api/api_test.h"

namespace heddle::test {

class TwoDevices {
 public:
  // Otherwise none can be made.
  static bool are_possible() { return info<cl_uint>(device(), CL_DEVICE_MAX_COMPUTE_UNITS) >= 2; }

  TwoDevices() {
    const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1,
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_device_id parts[2] = {};
    check(clCreateSubDevices(device(), counts, 2, parts, nullptr), "clCreateSubDevices");
    first = Device(parts[0]);
    second = Device(parts[1]);
    cl_int error = CL_SUCCESS;
    context = Context(clCreateContext(nullptr, 2, parts, nullptr, nullptr, &error));
    check(error, "clCreateContext");
    near = Queue(clCreateCommandQueueWithProperties(context, first, nullptr, &error));
    check(error, "clCreateCommandQueueWithProperties");
    far = Queue(clCreateCommandQueueWithProperties(context, second, nullptr, &error));
    check(error, "clCreateCommandQueueWithProperties");
  }

  Device first, second;
  Context context;
  Queue near, far;
};

} // namespace heddle::test
