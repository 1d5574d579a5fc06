// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wait_group_events is a work-group barrier. The specification does not require that; programs
// written for GPUs rely on it.
#include "tests/api/api_test.h"

#include <algorithm>

namespace heddle::test {
namespace {

// Group sizes: sub-groups with inactive lanes, full ones, a single one.
class GroupWaits : public ApiTest, public testing::WithParamInterface<size_t> {
 protected:
  // Runs the kernel on one group: 1000, 999 ... for the source, `count` ints of results, two arrays
  // of an int for each work-item, and the int.
  std::vector<cl_int> results(const char* source, size_t count, cl_int number) {
    const auto program = build(context_, source);
    const auto kernel = make_kernel(program, "k");
    const auto items = GetParam();
    std::vector<cl_int> from(items + 1), before(count, -7);
    for (size_t i = 0; i != from.size(); ++i)
      from[i] = source_at(i);
    const auto in = make_buffer(context_, from.size() * 4, from.data(), CL_MEM_COPY_HOST_PTR);
    const auto out = make_buffer(context_, count * 4, before.data(), CL_MEM_COPY_HOST_PTR);
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), in.address()), "source");
    check(clSetKernelArg(kernel, 1, sizeof(cl_mem), out.address()), "results");
    check(clSetKernelArg(kernel, 2, items * 4, nullptr), "local memory");
    check(clSetKernelArg(kernel, 3, items * 4, nullptr), "local memory");
    check(clSetKernelArg(kernel, 4, sizeof number, &number), "number");
    run(queue_, kernel, {{items}, {items}, {}});
    return read<cl_int>(queue_, out, count);
  }
  static cl_int source_at(size_t i) { return 1000 - cl_int(i); }
};

// Stores of other work-items before a wait are visible after it, and what they read before it may
// be overwritten.
TEST_P(GroupWaits, BetweenWritingAndReading) {
  const auto items = GetParam();
  const auto seen = results(R"(
    kernel void k(global const int* from, global int* out, local int* a, local int* b, int times) {
      const int n = get_local_size(0), i = get_local_id(0);
      for (int t = 0; t < times; ++t) {
        a[i] = i + t;
        event_t e = async_work_group_copy(b, from + t, n, 0);
        wait_group_events(1, &e);
        out[2 * t * n + i] = a[n - 1 - i];
        out[(2 * t + 1) * n + i] = b[i];
        e = async_work_group_copy(b, from, 1, 0);
        wait_group_events(1, &e);
      }
    })",
                            items * 4, 2);
  std::vector<cl_int> expected;
  for (size_t t = 0; t != 2; ++t) {
    for (size_t i = 0; i != items; ++i)
      expected.push_back(cl_int(items - 1 - i + t));
    for (size_t i = 0; i != items; ++i)
      expected.push_back(source_at(t + i));
  }
  EXPECT_EQ(seen, expected);
}

// A loop of nothing but copies: those of the second iteration read what all work-items stored
// before the loop, and after it all overwrite the copied data.
TEST_P(GroupWaits, AroundALoopOfCopies) {
  constexpr size_t kRounds = 3;
  const auto items = GetParam();
  for (const cl_int times : {1, 4}) {
    const auto count = items * (1 + kRounds * size_t(times));
    const auto seen = results(R"(
      kernel void k(global const int* from, global int* out, local int* a, local int* b, int times) {
        const int n = get_local_size(0), i = get_local_id(0);
        a[i] = 3 * i + 1;
        for (int round = 0; round < 3; ++round)
          for (int t = 0; t < times; ++t) {
            event_t e;
            if (round == 0 && t == 0)
              e = async_work_group_copy(b, from + 1, n, 0);
            else
              e = async_work_group_copy(out + n * (1 + round * times + t), a, n, 0);
            wait_group_events(1, &e);
          }
        out[i] = b[n - 1 - i];
        a[i] = -1;
      })",
                              count, times);
    std::vector<cl_int> expected(count, -7);
    for (size_t i = 0; i != items; ++i) {
      expected[i] = source_at(1 + items - 1 - i);
      for (size_t copy = 2; copy <= kRounds * size_t(times); ++copy)
        expected[copy * items + i] = 3 * cl_int(i) + 1;
    }
    EXPECT_EQ(seen, expected) << times << " copies a round";
  }
}

INSTANTIATE_TEST_SUITE_P(WorkItems, GroupWaits, testing::Values(1, 6, 64, 150));

} // namespace
} // namespace heddle::test
