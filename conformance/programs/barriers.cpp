// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group barriers in all valid positions. Each kernel passes values between work-items, so that
// a missing barrier gives a wrong result, and runs with several group sizes.
#include "harness.h"

#include <algorithm>
#include <functional>

using namespace conformance;

namespace {

using Model = std::function<cl_int(size_t group, size_t item, size_t size)>;

class Barriers : public DeviceTest {
 protected:
  // `body` is a kernel k(global int* out, int n, local int* shared) that stores one value per
  // work-item.
  void check(const std::string& source, const Model& model, cl_int n = 5) {
    SPEC("C, Synchronization Functions: barrier, and work-group convergence");
    Kernel kernel = make_kernel(source, "k");
    for (size_t wanted : {1u, 2u, 7u, 16u, 61u, 128u, 256u}) {
      const size_t size = std::min<size_t>(wanted, max_group_size(kernel));
      const size_t groups = 5;
      Memory out = make_buffer(std::vector<cl_int>(size * groups, -1));
      set_arguments(kernel, out, n, Local{2 * size * sizeof(cl_int)});
      run(kernel, {size * groups}, {size});
      const auto seen = read<cl_int>(out, size * groups);
      for (size_t group = 0; group < groups; ++group)
        for (size_t item = 0; item < size; ++item)
          ASSERT_EQ(seen[group * size + item], model(group, item, size))
              << "group " << group << ", work-item " << item << " of " << size;
    }
  }
};

TEST_F(Barriers, Straight) {
  check(R"(kernel void k(global int* out, int n, local int* s) {
    int i = get_local_id(0), size = get_local_size(0);
    s[i] = i * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[size - 1 - i];
  })",
        [](size_t, size_t i, size_t size) { return cl_int((size - 1 - i) * 3); });
}

TEST_F(Barriers, GlobalMemory) {
  check(R"(kernel void k(global int* out, int n, local int* s) {
    int i = get_local_id(0), size = get_local_size(0), base = get_group_id(0) * size;
    out[base + i] = i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    int v = out[base + (i + 1) % size];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[base + i] = v;
  })",
        [](size_t, size_t i, size_t size) { return cl_int((i + 1) % size); });
}

TEST_F(Barriers, InALoop) {
  check(R"(kernel void k(global int* out, int n, local int* s) {
    int i = get_local_id(0), size = get_local_size(0);
    s[i] = i;
    for (int round = 0; round < n; ++round) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int v = s[(i + 1) % size];
      barrier(CLK_LOCAL_MEM_FENCE);
      s[i] = v;
    }
    out[get_global_id(0)] = s[i];
  })",
        [](size_t, size_t i, size_t size) { return cl_int((i + 5) % size); });
}

TEST_F(Barriers, LoopWhoseCountIsReadFromLocalMemory) {
  check(R"(kernel void k(global int* out, int n, local int* s) {
    int i = get_local_id(0), count = 0;
    local int go;
    do {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i == 0) go = count < (int)get_group_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      ++count;
    } while (go);
    out[get_global_id(0)] = count;
  })",
        [](size_t group, size_t, size_t) { return cl_int(group + 1); });
}

TEST_F(Barriers, ReductionTree) {
  check(R"(kernel void k(global int* out, int n, local int* s) {
    int i = get_local_id(0), size = get_local_size(0);
    s[i] = i + 1;
    for (int width = size; width > 1; width = (width + 1) / 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int half_width = (width + 1) / 2;
      if (i + half_width < width) s[i] += s[i + half_width];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[0];
  })",
        [](size_t, size_t, size_t size) { return cl_int(size * (size + 1) / 2); });
}

TEST_F(Barriers, InNestedConditionals) {
  check(R"(kernel void k(global int* out, int n, local int* s) {
    int i = get_local_id(0), size = get_local_size(0), g = get_group_id(0), v = 0;
    s[i] = i;
    if (g & 1) {
      if (g & 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        v = s[size - 1 - i];
      } else {
        s[i] += 100;
        barrier(CLK_LOCAL_MEM_FENCE);
        v = s[size - 1 - i];
      }
    } else if (n > 3) {
      barrier(CLK_LOCAL_MEM_FENCE);
      v = s[(i + 1) % size] + 1000;
    }
    out[get_global_id(0)] = v;
  })",
        [](size_t group, size_t i, size_t size) {
          if (group % 2 == 0)
            return cl_int((i + 1) % size + 1000);
          return cl_int(size - 1 - i + (group & 2 ? 0 : 100));
        });
}

TEST_F(Barriers, InCalledFunctions) {
  check(R"(
  int neighbour(local int* s, int v) {
    s[get_local_id(0)] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = s[(get_local_id(0) + 1) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return v;
  }
  int twice(local int* s, int v) { return neighbour(s, neighbour(s, v)); }
  kernel void k(global int* out, int n, local int* s) {
    int v = get_local_id(0);
    for (int round = 0; round < n; ++round) v = twice(s, v);
    out[get_global_id(0)] = v;
  })",
        [](size_t, size_t i, size_t size) { return cl_int((i + 10) % size); });
}

TEST_F(Barriers, SeveralInOneLoopWithContinueAndBreak) {
  check(R"(kernel void k(global int* out, int n, local int* s) {
    int i = get_local_id(0), size = get_local_size(0), v = i;
    for (int round = 0; round < 100; ++round) {
      s[i] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      v = s[(i + 1) % size];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (round % 3 == 1) continue;
      s[i] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      v = s[(i + 2) % size];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (round == n) break;
    }
    out[get_global_id(0)] = v;
  })",
        [](size_t, size_t i, size_t size) { return cl_int((i + 6 * 1 + 4 * 2) % size); });
}

TEST_F(Barriers, WholeGroupsReturnEarly) {
  check(R"(kernel void k(global int* out, int n, local int* s) {
    int i = get_local_id(0), size = get_local_size(0);
    out[get_global_id(0)] = 7;
    if (get_group_id(0) % 2 == 1) return;
    s[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(0) == 2) return;
    out[get_global_id(0)] = s[size - 1 - i];
  })",
        [](size_t group, size_t i, size_t size) {
          return group % 2 == 1 || group == 2 ? 7 : cl_int(size - 1 - i);
        });
}

TEST_F(Barriers, DivergentCodeBetween) {
  check(R"(kernel void k(global int* out, int n, local int* s) {
    int i = get_local_id(0), size = get_local_size(0), v = 0;
    for (int round = 0; round < n; ++round) {
      int steps = (i * 7 + round) % 5;
      for (int j = 0; j < steps; ++j) { v += j; if (v % 11 == 3) break; }
      if (i % 3 == 0) v += 2; else if (i % 3 == 1) v -= 1;
      s[i] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      v += s[size - 1 - i];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = v;
  })",
        [](size_t, size_t item, size_t size) {
          std::vector<cl_int> values(size, 0);
          for (int round = 0; round < 5; ++round) {
            for (int i = 0; i < int(size); ++i) {
              const int steps = (i * 7 + round) % 5;
              for (int j = 0; j < steps; ++j) {
                values[i] += j;
                if (values[i] % 11 == 3)
                  break;
              }
              values[i] += i % 3 == 0 ? 2 : i % 3 == 1 ? -1 : 0;
            }
            auto shared = values;
            for (size_t i = 0; i < size; ++i)
              values[i] += shared[size - 1 - i];
          }
          return values[item];
        });
}

TEST_F(Barriers, PrivateArraysLiveAcrossBarriers) {
  check(R"(kernel void k(global int* out, int n, local int* s) {
    int a[32], i = get_local_id(0), size = get_local_size(0);
    for (int j = 0; j < 32; ++j) a[j] = i * 32 + j;
    s[i] = a[(i + n) & 31];
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = s[(i + 1) % size];
    for (int j = 0; j < 32; ++j) a[j] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int j = 0; j < 32; ++j) sum += a[j];
    out[get_global_id(0)] = sum;
  })",
        [](size_t, size_t i, size_t size) {
          const int j = int((i + 1) % size), other = j * 32 + ((j + 5) & 31);
          return cl_int(32 * (int(i) * 32 + other) + 31 * 16);
        });
}

TEST_F(Barriers, TwoAndThreeDimensions) {
  SPEC("C, Synchronization Functions: all work-items of the group, in every dimension");
  Kernel kernel = make_kernel(R"(kernel void k(global int* out, local int* s) {
    int l = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    int size = get_local_size(0) * get_local_size(1) * get_local_size(2);
    int group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
    s[l] = l + 1000 * group;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[group * size + l] = s[size - 1 - l];
  })",
                              "k");
  Memory out = make_buffer(std::vector<cl_int>(8 * 24, -1));
  set_arguments(kernel, out, Local{24 * sizeof(cl_int)});
  run(kernel, {8, 6, 4}, {4, 3, 2});
  const auto seen = read<cl_int>(out, 8 * 24);
  for (int group = 0; group < 8; ++group)
    for (int l = 0; l < 24; ++l)
      ASSERT_EQ(seen[group * 24 + l], 23 - l + 1000 * group);
}

TEST_F(Barriers, NonUniformGroups) {
  SPEC("API, Mapping work-items onto an ND-range: the remainder is a smaller group, whose barriers "
       "count its work-items");
  if (version < 300 ||
      !info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT))
    GTEST_SKIP();
  Kernel kernel = make_kernel(R"(kernel void k(global int* out, local int* s) {
    int i = get_local_id(0), size = get_local_size(0);
    s[i] = i;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[size - 1 - i];
  })",
                              "k", "-cl-std=CL3.0");
  Memory out = make_buffer(std::vector<cl_int>(37, -1));
  set_arguments(kernel, out, Local{16 * sizeof(cl_int)});
  run(kernel, {37}, {16});
  const auto seen = read<cl_int>(out, 37);
  for (int i = 0; i < 37; ++i)
    ASSERT_EQ(seen[i], (i < 32 ? 15 : 4) - i % 16);
}

} // namespace
