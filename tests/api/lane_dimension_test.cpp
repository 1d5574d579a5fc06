// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose accesses are consecutive along the second dimension: lanes run along it, which
// nothing but their speed and the suggested local size may show.
#include "tests/api/api_test.h"

#include <numeric>
#include <string>

namespace heddle::test {
namespace {

constexpr const char* kSource = R"(
  kernel void columns(global int* out, global const int* in, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < n && y < n)
      out[n * x + y] = in[n * x + y] * 2 + x * 5 + y;
  }
  kernel void ids(global int* out, global const int* in, int n) {
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
    out[n * x + y] = in[n * x + y] + (get_global_id(0) << 24) + (get_global_id(1) << 18) +
                     (get_group_id(0) << 12) + (get_local_id(0) << 9) + (get_group_id(1) << 6) +
                     (get_local_size(0) << 3) + get_num_groups(1) + get_local_size(1) +
                     get_local_linear_id() + get_global_linear_id() + get_global_size(0);
  }
  kernel void exchange(global int* out, global const int* in, int n, local int* tile) {
    int x = get_global_id(0), y = get_global_id(1);
    int id = get_local_id(0) * get_local_size(1) + get_local_id(1);
    tile[id] = in[n * x + y];
    barrier(CLK_LOCAL_MEM_FENCE);
    int items = get_local_size(0) * get_local_size(1);
    out[n * x + y] = tile[items - 1 - id] * 3 + id;
  }
  kernel __attribute__((reqd_work_group_size(2, 8, 1))) void required(global int* out,
                                                                      global const int* in, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    out[n * x + y] = in[n * x + y] + get_local_size(0) * 100 + get_group_id(1);
  })";

class LaneDimensionTest : public ApiTest {
 protected:
  void SetUp() override {
    program_ = build(context_, kSource, "-cl-std=CL3.0");
    values_.resize(kSide * kSide);
    std::iota(values_.begin(), values_.end(), 17);
    in_ = make_buffer(context_, values_.size() * 4, values_.data());
    reset();
  }
  void reset() { out_ = make_buffer(context_, values_.size() * 4, values_.data()); }
  static constexpr size_t kSide = 48;
  Program program_;
  std::vector<cl_int> values_;
  // That the kernel has written expected(x, y) at each x and y.
  template <class Expected>
  void expect(Expected expected) {
    const auto found = read<cl_int>(queue_, out_, values_.size());
    for (size_t x = 0; x < kSide; ++x)
      for (size_t y = 0; y < kSide; ++y)
        ASSERT_EQ(found[x * kSide + y], static_cast<cl_int>(expected(x, y))) << x << " " << y;
  }

  Buffer in_, out_;
};

TEST_F(LaneDimensionTest, EveryLocalSize) {
  const auto kernel = make_kernel(program_, "columns");
  for (const std::vector<size_t>& local :
       std::initializer_list<std::vector<size_t>>{{}, {1, 16}, {16, 1}, {48, 1}, {16, 16}, {3, 24}})
    for (int launch = 0; launch < 3; ++launch) {
      reset();
      set_args(kernel, out_, in_, cl_int{kSide});
      run(queue_, kernel, {{kSide, kSide}, local, {}});
      expect([&](size_t x, size_t y) {
        return values_[x * kSide + y] * 2 + static_cast<int>(x * 5 + y);
      });
    }
}

TEST_F(LaneDimensionTest, Queries) {
  const auto kernel = make_kernel(program_, "ids");
  set_args(kernel, out_, in_, cl_int{kSide});
  constexpr size_t kOffsetX = 3, kOffsetY = 7;
  for (const auto& [lx, ly] : {std::pair<size_t, size_t>{4, 8}, {16, 4}, {1, 24}, {24, 1}}) {
    run(queue_, kernel, {{kSide, kSide}, {lx, ly}, {kOffsetX, kOffsetY}});
    const auto found = read<cl_int>(queue_, out_, values_.size());
    for (size_t x = 0; x < kSide; ++x)
      for (size_t y = 0; y < kSide; ++y) {
        const auto expected = values_[x * kSide + y] + ((x + kOffsetX) << 24) +
                              ((y + kOffsetY) << 18) + (x / lx << 12) + (x % lx << 9) +
                              (y / ly << 6) + (lx << 3) + kSide / ly + ly + (y % ly * lx + x % lx) +
                              (y * kSide + x) + kSide;
        ASSERT_EQ(found[x * kSide + y], static_cast<cl_int>(expected)) << x << " " << y;
      }
  }
}

TEST_F(LaneDimensionTest, Barriers) {
  const auto kernel = make_kernel(program_, "exchange");
  for (const auto& [lx, ly] : {std::pair<size_t, size_t>{4, 8}, {16, 16}, {1, 24}, {24, 1}}) {
    set_args(kernel, out_, in_, cl_int{kSide}, Local{lx * ly * 4});
    run(queue_, kernel, {{kSide, kSide}, {lx, ly}, {}});
    expect([&, lx = lx, ly = ly](size_t x, size_t y) {
      const auto from = (x / lx * lx + lx - 1 - x % lx) * kSide + y / ly * ly + ly - 1 - y % ly;
      return values_[from] * 3 + static_cast<cl_int>(x % lx * ly + y % ly);
    });
  }
}

TEST_F(LaneDimensionTest, RequiredSize) {
  const auto kernel = make_kernel(program_, "required");
  for (const std::vector<size_t>& local : {std::vector<size_t>(), std::vector<size_t>{2, 8}}) {
    reset();
    set_args(kernel, out_, in_, cl_int{kSide});
    run(queue_, kernel, {{kSide, kSide}, local, {}});
    expect([&](size_t x, size_t y) {
      return values_[x * kSide + y] + 200 + static_cast<cl_int>(y / 8);
    });
  }
}

// Groups that the driver chooses are long where accesses are consecutive.
TEST_F(LaneDimensionTest, SuggestedSize) {
  auto* suggest = reinterpret_cast<cl_int (*)(cl_command_queue, cl_kernel, cl_uint, const size_t*,
                                              const size_t*, size_t*)>(
      clGetExtensionFunctionAddressForPlatform(platform(), "clGetKernelSuggestedLocalWorkSizeKHR"));
  ASSERT_NE(suggest, nullptr);
  const auto kernel = make_kernel(program_, "columns");
  set_args(kernel, out_, in_, cl_int{kSide});
  const size_t global[] = {1024, 1024};
  size_t local[2] = {};
  ASSERT_EQ(suggest(queue_, kernel, 2, nullptr, global, local), CL_SUCCESS);
  EXPECT_EQ(local[0], 1);
  EXPECT_GE(local[1], 64);
}

} // namespace
} // namespace heddle::test
