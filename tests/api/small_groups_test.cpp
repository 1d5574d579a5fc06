// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids in small groups, many of which run as one in units for their size (run with
// HEDDLE_VARIANTS=each).
#include "tests/api/api_test.h"

#include <string>
#include <vector>

namespace heddle::test {
namespace {

// `id` has all that a kernel may ask of the first dimension; the others are sums of ids as programs
// compute them: consecutive in one row of groups, of vectors, with other terms, with different
// strides, and with the ids apart from each other.
constexpr const char* kSource = R"(
  kernel void id(global uint* out) {
    size_t at = get_global_linear_id();
    out[at] = (get_global_id(0) * 31 + get_local_id(0) * 7 + get_group_id(0)) * 31 +
              get_local_size(0) * 5 + get_enqueued_local_size(0) * 3 + get_num_groups(0) +
              get_global_size(0) + get_global_offset(0) * 11 + get_local_linear_id() * 13 +
              get_group_id(1) * 17;
  }
  kernel void consecutive(global uint* out) {
    int row = get_group_id(1) * get_global_size(0);
    int at = get_group_id(0) * get_local_size(0) + get_local_id(0);
    out[row + at] = at * 3 + get_global_offset(0);
  }
  kernel void known_size(global uint* out) {
    int group = get_group_id(0), local_id = get_local_id(0);
    int at = get_group_id(1) * (int)get_global_size(0) + (group * SIZE) + local_id;
    uint sum = 0;
    for (int k = 0; k < 5; ++k)
      sum += (local_id * 2 - 9 * k) + group * (2 * SIZE);
    out[at] = sum;
  }
  kernel void shifted(global uint4* out) {
    uint group = get_group_id(0), lane = get_local_id(0);
    uint at = (1 << LOG == SIZE ? group << (LOG + 2) : group * (4 * SIZE)) + (lane << 2);
    *(global uint4*)((global uint*)out + get_group_id(1) * (uint)get_global_size(0) * 4 + at) =
        (uint4)(at, group, lane, at ^ lane);
  }
  kernel void two_strides(global uint* out) {
    int count = get_num_groups(0);
    out[(get_group_id(1) * get_local_size(0) + get_local_id(0)) * count + get_group_id(0)] =
        get_group_id(0) * 100 + get_local_id(0);
  }
  kernel void of_group(global uint* out) {
    int last = get_local_id(0) == SIZE - 1;
    if (last)
      out[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = get_group_id(0) * get_group_id(0);
  })";

struct Launch {
  size_t size, groups, rows, offset;
};

std::string name_of(const ::testing::TestParamInfo<Launch>& info) {
  const auto& [size, groups, rows, offset] = info.param;
  return std::to_string(groups) + "x" + std::to_string(rows) + "Of" + std::to_string(size) +
         "From" + std::to_string(offset);
}

class SmallGroups : public ::testing::TestWithParam<Launch> {
 protected:
  // The first `count` numbers that a kernel writes.
  std::vector<cl_uint> launch(const char* name, size_t count) {
    const auto& range = GetParam();
    unsigned log = 0;
    while ((size_t{1} << log) < range.size)
      ++log;
    const auto options =
        "-cl-std=CL3.0 -DSIZE=" + std::to_string(range.size) + " -DLOG=" + std::to_string(log);
    const auto program = build(context_, kSource, options.c_str());
    const auto kernel = make_kernel(program, name);
    const std::vector<cl_uint> before(count, 0xffffffffu);
    const auto out = make_buffer(context_, count * sizeof(cl_uint), before.data());
    set_args(kernel, out);
    run(queue_, kernel,
        {{range.groups * range.size, range.rows}, {range.size, 1}, {range.offset, 0}});
    return read<cl_uint>(queue_, out, count);
  }
  // Of each work-item, in the order of global linear ids.
  template <typename Function>
  std::vector<cl_uint> of_items(Function value) {
    const auto& range = GetParam();
    std::vector<cl_uint> values;
    for (size_t row = 0; row < range.rows; ++row)
      for (size_t group = 0; group < range.groups; ++group)
        for (size_t local_id = 0; local_id < range.size; ++local_id)
          values.push_back(static_cast<cl_uint>(value(row, group, local_id)));
    return values;
  }

  const Context context_ = make_context();
  const Queue queue_ = make_queue(context_);
};

TEST_P(SmallGroups, HaveAllIds) {
  const auto& range = GetParam();
  const auto expected = of_items([&](size_t row, size_t group, size_t local_id) {
    return ((group * range.size + local_id + range.offset) * 31 + local_id * 7 + group) * 31 +
           range.size * 5 + range.size * 3 + range.groups + range.groups * range.size +
           range.offset * 11 + local_id * 13 + row * 17;
  });
  EXPECT_EQ(launch("id", expected.size()), expected);
}

TEST_P(SmallGroups, HaveConsecutiveIds) {
  const auto& range = GetParam();
  const auto expected = of_items([&](size_t /*row*/, size_t group, size_t local_id) {
    return (group * range.size + local_id) * 3 + range.offset;
  });
  EXPECT_EQ(launch("consecutive", expected.size()), expected);
}

TEST_P(SmallGroups, HaveConsecutiveIdsOfAKnownSize) {
  const auto expected = of_items([&](size_t /*row*/, size_t group, size_t local_id) {
    return 5 * (local_id * 2 + group * 2 * GetParam().size) - 90;
  });
  EXPECT_EQ(launch("known_size", expected.size()), expected);
}

TEST_P(SmallGroups, HaveShiftedIds) {
  const auto& range = GetParam();
  std::vector<cl_uint> expected;
  of_items([&](size_t /*row*/, size_t group, size_t local_id) {
    const auto at = static_cast<cl_uint>((group * range.size + local_id) * 4);
    for (const auto value : {at, static_cast<cl_uint>(group), static_cast<cl_uint>(local_id),
                             at ^ static_cast<cl_uint>(local_id)})
      expected.push_back(value);
    return 0;
  });
  EXPECT_EQ(launch("shifted", expected.size()), expected);
}

TEST_P(SmallGroups, HaveIdsWithStridesOfTheirOwn) {
  const auto& range = GetParam();
  std::vector<cl_uint> expected;
  for (size_t row = 0; row < range.rows; ++row)
    for (size_t local_id = 0; local_id < range.size; ++local_id)
      for (size_t group = 0; group < range.groups; ++group)
        expected.push_back(static_cast<cl_uint>(group * 100 + local_id));
  EXPECT_EQ(launch("two_strides", expected.size()), expected);
}

TEST_P(SmallGroups, HaveALastWorkItem) {
  const auto& range = GetParam();
  std::vector<cl_uint> expected;
  for (size_t row = 0; row < range.rows; ++row)
    for (size_t group = 0; group < range.groups; ++group)
      expected.push_back(static_cast<cl_uint>(group * group));
  EXPECT_EQ(launch("of_group", expected.size()), expected);
}

INSTANTIATE_TEST_SUITE_P(, SmallGroups,
                         ::testing::Values(Launch{1, 1, 1, 0}, Launch{1, 200, 1, 0},
                                           Launch{1, 5000, 2, 3}, Launch{2, 77, 3, 0},
                                           Launch{3, 50, 1, 7}, Launch{4, 9, 2, 0},
                                           Launch{5, 100, 2, 0}, Launch{8, 40, 3, 1},
                                           Launch{16, 21, 1, 0}, Launch{32, 130, 2, 5},
                                           Launch{32, 1, 1, 0}, Launch{64, 9, 1, 0}),
                         name_of);

} // namespace
} // namespace heddle::test
