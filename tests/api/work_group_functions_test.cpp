// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group functions (OpenCL C 6.15.16). ctest runs these tests at several sub-group sizes.
#include "tests/api/lane_model.h"

namespace heddle::test {
namespace {

template <class T>
class WorkGroupOf : public testing::Test {};
using Types = testing::Types<cl_int, cl_uint, cl_long, cl_ulong, cl_float, cl_double>;
TYPED_TEST_SUITE(WorkGroupOf, Types);

TYPED_TEST(WorkGroupOf, ReducesAndScans) {
  using T = TypeParam;
  std::vector<LaneCase<T>> cases;
  for (const auto& [name, combine, identity] : add_min_max<T>()) {
    const std::string how = name;
    cases.push_back(
        {"r = work_group_reduce_" + how + "(v);", fold<T>(combine, identity, everybody)});
    cases.push_back(
        {"r = work_group_scan_inclusive_" + how + "(v);", fold<T>(combine, identity, up_to)});
    cases.push_back(
        {"r = work_group_scan_exclusive_" + how + "(v);", fold<T>(combine, identity, before)});
  }
  expect_lanes<T>(cases, Over::work_group);
}

TYPED_TEST(WorkGroupOf, Broadcasts) {
  using T = TypeParam;
  const auto last = [](const Lanes<T>& lanes) {
    size_t found = 0;
    for (size_t i = 0; i < lanes.active.size(); ++i)
      if (lanes.active[i])
        found = i;
    return lanes.value[found];
  };
  expect_lanes<T>(
      {{"r = get_work_dim() == 1 ? work_group_broadcast(v, get_local_size(0) - 1) : "
        "get_work_dim() == 2 ? work_group_broadcast(v, get_local_size(0) - 1, get_local_size(1) - "
        "1) : "
        "work_group_broadcast(v, get_local_size(0) - 1, get_local_size(1) - 1, get_local_size(2) - "
        "1);",
        last},
       {"r = work_group_broadcast(v, 0);", [](const Lanes<T>& lanes) { return lanes.value[0]; }}},
      Over::work_group);
}

TEST(WorkGroupFunctions, Votes) {
  const auto all = [](cl_int limit) {
    return [=](const Lanes<cl_int>& lanes) {
      cl_int result = 1;
      for (size_t i = 0; i < lanes.value.size(); ++i)
        result &= !lanes.active[i] || lanes.value[i] > limit;
      return result;
    };
  };
  expect_lanes<cl_int>({{"r = work_group_all((v > -15) * 6) != 0;", all(-15)},
                        {"r = work_group_all(v > -17) != 0;", all(-17)},
                        {"r = !work_group_any((v <= -15) << 30);", all(-15)}},
                       Over::work_group);
}

// Consecutive calls, and calls in loops: no sub-group may see the result of the next function
// early, or that of the preceding one.
TEST(WorkGroupFunctions, ManyInARow) {
  const auto sum = fold<cl_int>([](cl_int a, cl_int b) { return a + b; }, 0, everybody);
  const auto most = fold<cl_int>([](cl_int a, cl_int b) { return std::max(a, b); }, -99, everybody);
  const auto scan = fold<cl_int>([](cl_int a, cl_int b) { return a + b; }, 0, up_to);
  const auto number = [](const Lanes<cl_int>& lanes) {
    return static_cast<cl_int>(std::count(lanes.active.begin(), lanes.active.end(), true));
  };
  expect_lanes<cl_int>(
      {{"r = work_group_reduce_add(v) + 3 * work_group_reduce_max(v) + 5 * "
        "work_group_scan_inclusive_add(v);",
        [=](const auto& lanes) { return sum(lanes) + 3 * most(lanes) + 5 * scan(lanes); }},
       {"for (int i = 0; i < 5; ++i) { r += work_group_scan_inclusive_add(v); r += "
        "work_group_reduce_add(i); }",
        [=](const auto& lanes) { return 5 * scan(lanes) + 10 * number(lanes); }},
       // Barriers of the program between them.
       {"local int shared[4096]; for (int i = 0; i < 3; ++i) { shared[get_local_linear_id()] = v + "
        "i; "
        "barrier(CLK_LOCAL_MEM_FENCE); r += shared[0] + work_group_reduce_add(i); "
        "barrier(CLK_LOCAL_MEM_FENCE); }",
        [=](const auto& lanes) { return 3 * lanes.value[0] + 3 + 3 * number(lanes); }},
       // In a uniform branch.
       {"if (get_local_size(0) > 10) r = work_group_reduce_add(v) - work_group_broadcast(v, 0); "
        "else r = work_group_reduce_max(v);",
        [=](const auto& lanes) {
          return lanes.wide_row ? sum(lanes) - lanes.value[0] : most(lanes);
        }}},
      Over::work_group);
}

TEST(WorkGroupFunctions, LargestGroups) {
  const auto most = info<size_t>(device(), CL_DEVICE_MAX_WORK_GROUP_SIZE);
  for (const size_t size : {most, most - 1}) {
    std::vector<cl_uint> in(size);
    for (size_t i = 0; i < size; ++i)
      in[i] = static_cast<cl_uint>(i * i);
    const auto out = compute<cl_uint>(
        "kernel void k(global uint* out, global const uint* in) { uint v = in[get_global_id(0)]; "
        "out[get_global_id(0)] = work_group_scan_inclusive_add(v) ^ work_group_reduce_max(v); }",
        "-cl-std=CL3.0", {{size}, {size}, {}}, size, in);
    cl_uint sum = 0;
    for (size_t i = 0; i < size; ++i) {
      sum += in[i];
      ASSERT_EQ(out[i], sum ^ static_cast<cl_uint>((size - 1) * (size - 1))) << i;
    }
  }
}

} // namespace
} // namespace heddle::test
