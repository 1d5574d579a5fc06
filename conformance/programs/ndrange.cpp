// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ND-ranges: the work-item functions for sizes, offsets and groups, also for non-uniform groups;
// errors.
#include "harness.h"

#include <algorithm>

using namespace conformance;

namespace {

using Sizes = std::vector<size_t>;

class NdRange : public DeviceTest {
 protected:
  // Each work-item stores its ids and sizes; the results are compared with the specification's
  // formulas.
  void check(const Sizes& global, const Sizes& local, const Sizes& offset,
             const char* options = "") {
    const cl_uint dimensions = cl_uint(global.size());
    size_t g[3] = {1, 1, 1}, l[3] = {1, 1, 1}, o[3] = {0, 0, 0};
    for (cl_uint d = 0; d < dimensions; ++d) {
      g[d] = global[d];
      if (!local.empty())
        l[d] = local[d];
      if (!offset.empty())
        o[d] = offset[d];
    }
    const size_t total = g[0] * g[1] * g[2];
    constexpr int kValues = 16;
    Program program = build(R"(
      kernel void k(global ulong* out) {
        size_t at = ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - get_global_offset(1))
                    * get_global_size(0) + get_global_id(0) - get_global_offset(0);
        global ulong* o = out + 16 * at;
        for (int d = 0; d < 3; ++d) {
          o[d] = get_global_id(d); o[3 + d] = get_local_id(d); o[6 + d] = get_group_id(d); o[9 + d] = get_local_size(d);
          o[12 + d] = get_num_groups(d);
        }
        o[15] = get_work_dim();
      })",
                            options);
    Kernel kernel = make_kernel(program, "k");
    Memory out = make_buffer(std::vector<cl_ulong>(total * kValues, ~0ull));
    set_arguments(kernel, out);
    run(kernel, global, local, offset);
    const auto seen = read<cl_ulong>(out, total * kValues);
    size_t at = 0;
    for (size_t z = 0; z < g[2]; ++z)
      for (size_t y = 0; y < g[1]; ++y)
        for (size_t x = 0; x < g[0]; ++x, at += kValues) {
          const size_t id[] = {x, y, z};
          ASSERT_EQ(seen[at + 15], dimensions);
          for (int d = 0; d < 3; ++d) {
            ASSERT_EQ(seen[at + d], id[d] + o[d]);
            if (local.empty()) { // the driver's choice, but it must be consistent
              ASSERT_EQ(seen[at + 3 + d], id[d] - seen[at + 6 + d] * seen[9 + d]);
              ASSERT_LT(seen[at + 3 + d], seen[at + 9 + d]);
              ASSERT_LT(seen[at + 6 + d], seen[at + 12 + d]);
              continue;
            }
            ASSERT_EQ(seen[at + 3 + d], id[d] % l[d]);
            ASSERT_EQ(seen[at + 6 + d], id[d] / l[d]);
            ASSERT_EQ(seen[at + 9 + d], std::min(l[d], g[d] - id[d] / l[d] * l[d]));
            ASSERT_EQ(seen[at + 12 + d], (g[d] + l[d] - 1) / l[d]);
          }
        }
  }
  cl_int error_of(cl_uint dimensions, const size_t* global, const size_t* local) {
    Kernel kernel = make_kernel("kernel void k() {}", "k");
    const cl_int error = clEnqueueNDRangeKernel(queue, kernel, dimensions, nullptr, global, local,
                                                0, nullptr, nullptr);
    EXPECT_CL(clFinish(queue));
    return error;
  }
};

TEST_F(NdRange, OneTwoAndThreeDimensions) {
  SPEC("API, Executing Kernels: clEnqueueNDRangeKernel; C, Work-Item Functions");
  check({100}, {10}, {});
  check({1}, {1}, {});
  check({24, 15}, {8, 5}, {});
  check({12, 6, 10}, {3, 2, 5}, {});
  check({1, 64, 1}, {1, 16, 1}, {});
  check({1, 1, 9}, {1, 1, 3}, {});
}

TEST_F(NdRange, LocalSizeOfTheDriversChoice) {
  SPEC("API, Executing Kernels: local_work_size may be NULL");
  check({97}, {}, {});
  check({1000}, {}, {});
  check({31, 17}, {}, {});
  check({5, 7, 11}, {}, {});
}

TEST_F(NdRange, Offsets) {
  SPEC("API, Executing Kernels: global_work_offset");
  check({20}, {5}, {1000});
  check({8, 6}, {4, 3}, {3, 5});
  check({4, 4, 4}, {2, 4, 1}, {size_t(1) << 33, 1, 7});
}

TEST_F(NdRange, NonUniformGroups) {
  SPEC("API, Mapping work-items onto an ND-range: non-uniform work-groups; C 3.0, get_local_size");
  if (version < 300 ||
      !info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT))
    GTEST_SKIP();
  check({103}, {10}, {}, "-cl-std=CL3.0");
  check({7}, {64}, {}, "-cl-std=CL3.0");
  check({13, 11}, {4, 5}, {2, 1}, "-cl-std=CL3.0");
  check({5, 7, 9}, {2, 3, 4}, {}, "-cl-std=CL3.0");
}

TEST_F(NdRange, GroupsThatDoNotDivideAreAnErrorBeforeTwo) {
  SPEC("API, Executing Kernels: CL_INVALID_WORK_GROUP_SIZE for a program built for OpenCL C 1.x");
  Kernel kernel = make_kernel("kernel void k() {}", "k", "-cl-std=CL1.2");
  const size_t global = 10, local = 3;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
            CL_INVALID_WORK_GROUP_SIZE);
}

TEST_F(NdRange, LargestGroup) {
  SPEC("API, Querying Devices: CL_DEVICE_MAX_WORK_GROUP_SIZE and CL_DEVICE_MAX_WORK_ITEM_SIZES");
  const size_t largest = info<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  const auto sizes = info_array<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  const size_t local = std::min(largest, sizes[0]);
  check({2 * local}, {local}, {});
  if (largest % 4 == 0 && sizes[1] >= 4) {
    check({largest / 4, 8}, {largest / 4, 4}, {});
  }
}

TEST_F(NdRange, Errors) {
  SPEC("API, Executing Kernels: errors of clEnqueueNDRangeKernel");
  const size_t one[] = {1, 1, 1};
  EXPECT_EQ(error_of(0, one, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(error_of(4, one, nullptr), CL_INVALID_WORK_DIMENSION);
  const size_t largest = info<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  const size_t global[] = {2 * largest, 2, 1}, local[] = {largest, 2, 1};
  EXPECT_EQ(error_of(2, global, local), CL_INVALID_WORK_GROUP_SIZE);
  const auto sizes = info_array<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  const size_t wide = sizes[0] + 1;
  const cl_int error = error_of(1, &wide, &wide);
  EXPECT_TRUE(error == CL_INVALID_WORK_ITEM_SIZE || error == CL_INVALID_WORK_GROUP_SIZE) << error;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, nullptr, 1, nullptr, one, nullptr, 0, nullptr, nullptr),
            CL_INVALID_KERNEL);
}

TEST_F(NdRange, EmptyRange) {
  SPEC("API, Executing Kernels: a global size of 0 is allowed since OpenCL 2.1 and runs nothing");
  if (version < 210)
    GTEST_SKIP();
  const size_t zero = 0;
  Kernel kernel = make_kernel("kernel void k(global int* a) { a[0] = 1; }", "k");
  Memory buffer = make_buffer(std::vector<cl_int>(1, 0));
  set_arguments(kernel, buffer);
  Event event;
  ASSERT_CL(
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &zero, nullptr, 0, nullptr, event.out()));
  ASSERT_CL(clWaitForEvents(1, event.ptr()));
  EXPECT_EQ(read<cl_int>(buffer, 1)[0], 0);
}

TEST_F(NdRange, Tasks) {
  SPEC("API, Executing Kernels: clEnqueueTask is an ND-range of one work-item");
  Kernel kernel = make_kernel("kernel void k(global int* a) { a[get_global_id(0)] += "
                              "(int)(get_global_size(0) * get_local_size(0)); }",
                              "k");
  Memory buffer = make_buffer(std::vector<cl_int>(2, 0));
  set_arguments(kernel, buffer);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  ASSERT_CL(clEnqueueTask(queue, kernel, 0, nullptr, nullptr));
#pragma GCC diagnostic pop
  EXPECT_EQ(read<cl_int>(buffer, 2), (std::vector<cl_int>{1, 0}));
}

TEST_F(NdRange, DimensionsThatAreNotThere) {
  SPEC("C, Work-Item Functions: values for a dimindx that is out of range");
  Kernel kernel = make_kernel(R"(
    kernel void k(global ulong* out, uint d) {
      out[0] = get_global_size(d); out[1] = get_local_size(d); out[2] = get_num_groups(d);
      out[3] = get_global_id(d); out[4] = get_local_id(d); out[5] = get_group_id(d); out[6] = get_global_offset(d);
    })",
                              "k");
  for (cl_uint dimension : {1u, 2u, 3u, 1000u}) {
    Memory out = make_buffer(7 * sizeof(cl_ulong));
    set_arguments(kernel, out, dimension);
    run(kernel, {1}, {1});
    EXPECT_EQ(read<cl_ulong>(out, 7), (std::vector<cl_ulong>{1, 1, 1, 0, 0, 0, 0}))
        << "dimension " << dimension;
  }
}

TEST_F(NdRange, LinearIds) {
  SPEC(
      "C, Work-Item Functions: get_global_linear_id, get_local_linear_id, get_enqueued_local_size");
  if (version < 200)
    GTEST_SKIP();
  Kernel kernel = make_kernel(R"(
    kernel void k(global int* wrong) {
      size_t g = ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - get_global_offset(1))
                 * get_global_size(0) + get_global_id(0) - get_global_offset(0);
      size_t l = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
      wrong[g] = get_global_linear_id() != g || get_local_linear_id() != l || get_enqueued_local_size(0) != 4 ||
                 get_enqueued_local_size(1) != 3 || get_enqueued_local_size(2) != 2;
    })",
                              "k", version >= 300 ? "-cl-std=CL3.0" : "-cl-std=CL2.0");
  Memory out = make_buffer(std::vector<cl_int>(8 * 6 * 4, -1));
  set_arguments(kernel, out);
  run(kernel, {8, 6, 4}, {4, 3, 2}, {5, 6, 7});
  EXPECT_EQ(read<cl_int>(out, 8 * 6 * 4), std::vector<cl_int>(8 * 6 * 4, 0));
}

// Last, because it ends the process on some drivers.
TEST_F(NdRange, GroupSizeOfZero) {
  SPEC("API, Executing Kernels: CL_INVALID_WORK_GROUP_SIZE; local sizes are at least 1");
  const size_t global[] = {4, 4}, local[] = {2, 0};
  EXPECT_EQ(error_of(2, global, local), CL_INVALID_WORK_GROUP_SIZE);
}

} // namespace
