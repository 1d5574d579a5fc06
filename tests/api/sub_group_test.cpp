// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-groups (OpenCL C 6.15.19; API 5.9.4): how work-groups are divided into them, their functions
// and the queries. ctest runs these tests at several sub-group sizes.
#include "tests/api/lane_model.h"

#include <array>

namespace heddle::test {
namespace {

TEST(SubGroup, AllButTheLastAreFull) {
  const LaneProgram program("int", {"r = 0;"});
  for (const auto& range : group_shapes()) {
    SCOPED_TRACE(describe(range));
    const auto outcome = program.run(0, range, std::vector<cl_int>(items_of(range)));
    std::map<cl_uint, cl_uint> items; // of each group
    for (const auto& place : outcome.places)
      ++items[place.group];
    size_t enqueued = 1;
    for (const auto size : range.local)
      enqueued *= size;
    for (const auto& place : outcome.places) {
      const auto width = place.width;
      ASSERT_GE(width, 1U);
      ASSERT_EQ(place.sub_group, place.local_linear / width);
      ASSERT_EQ(place.lane, place.local_linear % width);
      ASSERT_EQ(place.count, (items[place.group] + width - 1) / width);
      ASSERT_EQ(place.enqueued, (enqueued + width - 1) / width);
      ASSERT_EQ(place.size, std::min(width, items[place.group] - place.sub_group * width));
    }
  }
}

template <class T>
class SubGroupOf : public testing::Test {};
using Types = testing::Types<cl_int, cl_uint, cl_long, cl_ulong, cl_float, cl_double>;
TYPED_TEST_SUITE(SubGroupOf, Types);

TYPED_TEST(SubGroupOf, ReducesAndScans) {
  using T = TypeParam;
  std::vector<LaneCase<T>> cases;
  for (const auto& [name, combine, identity] : add_min_max<T>()) {
    const std::string how = name;
    cases.push_back(
        {"r = sub_group_reduce_" + how + "(v);", fold<T>(combine, identity, everybody)});
    cases.push_back(
        {"r = sub_group_scan_inclusive_" + how + "(v);", fold<T>(combine, identity, up_to)});
    cases.push_back(
        {"r = sub_group_scan_exclusive_" + how + "(v);", fold<T>(combine, identity, before)});
  }
  expect_lanes<T>(cases);
}

TYPED_TEST(SubGroupOf, Broadcasts) {
  using T = TypeParam;
  const auto of_lane = [](size_t lane) {
    return [=](const Lanes<T>& lanes) { return lanes.value[lane % lanes.value.size()]; };
  };
  expect_lanes<T>({
      {"r = sub_group_broadcast(v, 0);", of_lane(0)},
      // The last existing lane, which is unknown at compile time.
      {"r = sub_group_broadcast(v, get_sub_group_size() - 1);",
       [](const Lanes<T>& lanes) {
         size_t last = 0;
         for (size_t i = 0; i < lanes.active.size(); ++i)
           if (lanes.active[i])
             last = i;
         return lanes.value[last];
       }},
  });
}

TEST(SubGroup, Votes) {
  const auto all = [](const Lanes<cl_int>& lanes) {
    cl_int result = 1;
    for (size_t i = 0; i < lanes.value.size(); ++i)
      result &= !lanes.active[i] || lanes.value[i] > -15;
    return result;
  };
  const auto any = [](const Lanes<cl_int>& lanes) {
    cl_int result = 0;
    for (size_t i = 0; i < lanes.value.size(); ++i)
      result |= lanes.active[i] && lanes.value[i] > 12;
    return result;
  };
  expect_lanes<cl_int>(
      {{"r = sub_group_all(v > -15) != 0;", all},
       {"r = sub_group_any((v > 12) << 8) != 0;", any},
       {"r = sub_group_all(1) && !sub_group_any(0);", [](const Lanes<cl_int>&) { return 1; }}});
}

// In loops that sub-groups leave in different iterations, and in branches that are uniform only
// within sub-groups.
TEST(SubGroup, FunctionsInControlFlow) {
  const auto sum = fold<cl_int>([](cl_int a, cl_int b) { return a + b; }, 0, everybody);
  expect_lanes<cl_int>({
      {"for (uint n = 0; n < get_sub_group_id() + 3; ++n) r += sub_group_reduce_add(v) + (int)n;",
       [=](const Lanes<cl_int>& lanes) {
         cl_int result = 0;
         for (cl_uint n = 0; n < lanes.sub_group + 3; ++n)
           result += sum(lanes) + static_cast<cl_int>(n);
         return result;
       }},
      {"r = 5; if (sub_group_any(v > 12)) r = sub_group_reduce_add(v);",
       [=](const Lanes<cl_int>& lanes) {
         for (size_t i = 0; i < lanes.value.size(); ++i)
           if (lanes.active[i] && lanes.value[i] > 12)
             return sum(lanes);
         return 5;
       }},
  });
}

// Stores of other lanes are visible after the barrier, although the pointer is restrict and the
// work-item has just stored to the same address.
TEST(SubGroup, BarrierOrdersMemory) {
  const size_t n = 96;
  std::vector<cl_uint> in(n);
  for (size_t i = 0; i < n; ++i)
    in[i] = static_cast<cl_uint>(i * 7 + 1);
  const auto out = compute<cl_uint>(R"(
    kernel void k(global uint* restrict out, global const uint* in) {
      local uint shared[32];
      uint l = get_local_id(0), base = l - get_sub_group_local_id(), size = get_sub_group_size();
      uint other = base + (get_sub_group_local_id() + 1) % size;
      shared[l] = 0;
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      shared[other] = in[get_global_id(0)];
      sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
      uint mine = shared[l];
      uint from = base + (get_sub_group_local_id() + size - 1) % size;
      out[get_global_id(0)] = mine - in[get_global_id(0) - l + from];
    })",
                                    "-cl-std=CL3.0", {{n}, {32}, {}}, n, in);
  EXPECT_EQ(out, std::vector<cl_uint>(n, 0));
}

class SubGroupQueries : public ApiTest {
 protected:
  template <class T>
  T query(cl_kernel_sub_group_info name, const std::vector<size_t>& input) {
    T value{};
    check(clGetKernelSubGroupInfo(kernel_, device(), name, input.size() * sizeof(size_t),
                                  input.empty() ? nullptr : input.data(), sizeof value, &value,
                                  nullptr),
          "clGetKernelSubGroupInfo");
    return value;
  }
  cl_int status(cl_kernel_sub_group_info name, size_t input_size, const void* input,
                size_t size = sizeof(size_t)) {
    size_t value[3];
    return clGetKernelSubGroupInfo(kernel_, device(), name, input_size, input, size, value,
                                   nullptr);
  }

  Program program_ =
      build(context_,
            "kernel void k(global uint* o) { size_t i = get_global_linear_id();"
            "o[i * 2] = get_max_sub_group_size(); o[i * 2 + 1] = get_num_sub_groups(); }"
            "kernel __attribute__((reqd_work_group_size(4, 4, 2))) void fixed(global uint* o) {"
            "o[get_global_linear_id()] = get_sub_group_id(); }",
            "-cl-std=CL3.0");
  Kernel kernel_ = make_kernel(program_, "k");
};

TEST_F(SubGroupQueries, AgreeWithWhatKernelsSee) {
  for (const auto& local : std::vector<std::vector<size_t>>{{1}, {64}, {37}, {8, 8}, {5, 3, 2}}) {
    size_t items = 1;
    for (const auto size : local)
      items *= size;
    const auto out = make_buffer(context_, items * 8);
    set_args(kernel_, out);
    run(queue_, kernel_, {local, local, {}});
    const auto seen = read<cl_uint>(queue_, out, items * 2);
    EXPECT_EQ(query<size_t>(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local), seen[0]);
    EXPECT_EQ(query<size_t>(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local), seen[1]);
  }
  const auto width = query<size_t>(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {64});
  size_t largest = 0, multiple = 0;
  check(clGetKernelWorkGroupInfo(kernel_, device(), CL_KERNEL_WORK_GROUP_SIZE, sizeof largest,
                                 &largest, nullptr),
        "clGetKernelWorkGroupInfo");
  check(clGetKernelWorkGroupInfo(kernel_, device(), CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                 sizeof multiple, &multiple, nullptr),
        "clGetKernelWorkGroupInfo");
  EXPECT_EQ(multiple, width);
  const auto most = query<size_t>(CL_KERNEL_MAX_NUM_SUB_GROUPS, {});
  EXPECT_EQ(most, (largest + width - 1) / width);
  EXPECT_LE(most, info<cl_uint>(device(), CL_DEVICE_MAX_NUM_SUB_GROUPS));
  EXPECT_EQ(query<size_t>(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, {}), 0U);
}

TEST_F(SubGroupQueries, LocalSizeForACount) {
  using Sizes = std::array<size_t, 3>;
  for (const size_t count : {1, 2, 3}) {
    const auto sizes = query<Sizes>(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {count});
    EXPECT_EQ(query<size_t>(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {sizes.begin(), sizes.end()}),
              count);
  }
  const auto too_many = query<size_t>(CL_KERNEL_MAX_NUM_SUB_GROUPS, {}) + 1;
  EXPECT_EQ(query<Sizes>(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {too_many}), (Sizes{0, 0, 0}));
  kernel_ = make_kernel(program_, "fixed");
  const auto count = query<size_t>(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {4, 4, 2});
  EXPECT_EQ(query<Sizes>(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {count}), (Sizes{4, 4, 2}));
  EXPECT_EQ(query<Sizes>(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {count + 1}), (Sizes{0, 0, 0}));
  // A result of one dimension cannot express 4 x 4 x 2.
  EXPECT_EQ(query<size_t>(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {count}), 0U);
}

TEST_F(SubGroupQueries, Errors) {
  const size_t local[4] = {4, 4, 1, 1}, zero = 0;
  EXPECT_EQ(clGetKernelSubGroupInfo(nullptr, device(), CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 0,
                                    nullptr, nullptr),
            CL_INVALID_KERNEL);
  EXPECT_EQ(clGetKernelSubGroupInfo(kernel_, reinterpret_cast<cl_device_id>(context_.get()),
                                    CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 0, nullptr, nullptr),
            CL_INVALID_DEVICE);
  for (const cl_kernel_sub_group_info name :
       {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE}) {
    EXPECT_EQ(status(name, sizeof(size_t), nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(status(name, 0, local), CL_INVALID_VALUE);
    EXPECT_EQ(status(name, 4 * sizeof(size_t), local), CL_INVALID_VALUE);
    EXPECT_EQ(status(name, sizeof(size_t) + 1, local), CL_INVALID_VALUE);
    EXPECT_EQ(status(name, sizeof(size_t), &zero), CL_INVALID_VALUE);
    EXPECT_EQ(status(name, sizeof(size_t), local, sizeof(size_t) - 1), CL_INVALID_VALUE);
  }
  const auto name = CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT;
  EXPECT_EQ(status(name, sizeof(size_t), nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(status(name, 2 * sizeof(size_t), local), CL_INVALID_VALUE);
  EXPECT_EQ(status(name, sizeof(size_t), local, 4), CL_INVALID_VALUE);
  EXPECT_EQ(status(CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 4), CL_INVALID_VALUE);
  EXPECT_EQ(status(CL_KERNEL_FUNCTION_NAME, 0, nullptr), CL_INVALID_VALUE);
}

} // namespace
} // namespace heddle::test
