// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named barriers (cl_khr_subgroup_named_barrier), which only SPIR-V has.
#include "tests/spirv/elementwise.h"

#include <gtest/gtest.h>

namespace {

using namespace heddle::test;

constexpr Word kNamedBarrier = 59, kSubgroupDispatch = 58;
constexpr Word kTypeNamedBarrier = 327, kInitialize = 328, kWait = 329;

// The sub-groups of the first 32 work-items exchange their values twice, the others once, at a
// barrier of their own.
void exchange(const std::string& options, Word sub_groups) {
  SCOPED_TRACE(options);
  Elementwise<int> kernel({kSubgroupDispatch, kNamedBarrier});
  kernel.options = options;
  const auto a = numbers<int>(1, 3), b = numbers<int>(1000, 7);
  Word named = 0, count = 0, two = 0, semantics = 0, thirty_one = 0, thirty_two = 0,
       ninety_five = 0;
  const auto out = kernel.run(
      a, b,
      [&](KernelModule& m) {
        named = m.type(kTypeNamedBarrier);
        count = m.constant32(sub_groups);
        two = m.constant32(2);
        semantics = m.constant32(0x208); // acquire and release, CrossWorkgroup
        thirty_one = m.constant64(31);
        thirty_two = m.constant64(32);
        ninety_five = m.constant64(95);
      },
      [&](auto body) {
        auto& m = body.module;
        const Word i = m.load_global_id();
        const auto wait = [&](Word barrier) { m.add(kWait, {barrier, two, semantics}); };
        const auto read_opposite = [&](Word sum) {
          const Word opposite = m.result(OpISub, m.i64, {sum, i});
          return m.result(
              OpLoad, m.i32,
              {m.result(OpInBoundsPtrAccessChain, m.global_i32, {body.out, opposite}), 2, 4});
        };
        const Word first = m.result(kInitialize, named, {count});
        const Word second = m.result(kInitialize, named, {count});
        m.add(OpStore, {body.element, body.a, 2, 4});
        const Word lower = m.id(), upper = m.id(), join = m.id();
        m.add(OpBranchConditional,
              {m.result(OpULessThan, m.bool_type, {i, thirty_two}), lower, upper});
        m.add(OpLabel, {lower});
        wait(first);
        const Word read = read_opposite(thirty_one);
        wait(first);
        m.add(OpStore, {body.element, m.result(OpIAdd, m.i32, {read, body.b}), 2, 4});
        wait(first);
        const Word again = read_opposite(thirty_one);
        wait(first);
        m.add(OpBranch, {join});
        m.add(OpLabel, {upper});
        wait(second);
        const Word once = read_opposite(ninety_five);
        wait(second);
        m.add(OpBranch, {join});
        m.add(OpLabel, {join});
        return m.result(OpPhi, m.i32, {again, lower, once, upper});
      });
  EXPECT_EQ(out, expected<int>([&](size_t i) { return i < 32 ? a[i] + b[31 - i] : a[95 - i]; }));
}

TEST(NamedBarriers, OfSomeSubGroups) {
  exchange("", 2);
  exchange("-cl-opt-disable", 2);
}

TEST(NamedBarriers, AreRefusedOfOtherTypes) {
  const Elementwise<int> kernel({kSubgroupDispatch, kNamedBarrier});
  const auto log_of = [&](bool initializes) {
    Word named = 0, two = 0;
    const auto words = kernel.module(
        [&](KernelModule& m) {
          named = m.type(kTypeNamedBarrier);
          two = m.constant32(2);
        },
        [&](auto body) {
          if (initializes)
            body.module.result(kInitialize, body.module.i32, {two});
          else
            body.module.add(kWait, {body.a, two, two});
          return Word{0};
        });
    const auto context = make_context();
    cl_int error = CL_SUCCESS;
    const Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), &error));
    EXPECT_EQ(error, CL_SUCCESS);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    return build_log(program);
  };
  EXPECT_NE(log_of(true).find("the result is a named barrier"), std::string::npos);
  EXPECT_NE(log_of(false).find("the operand is a named barrier"), std::string::npos);
}

TEST(NamedBarriers, AreReported) {
  EXPECT_NE(device_text(CL_DEVICE_EXTENSIONS).find("cl_khr_subgroup_named_barrier"),
            std::string::npos);
  EXPECT_GE(info<cl_uint>(device(), CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR), 8U);
}

} // namespace
