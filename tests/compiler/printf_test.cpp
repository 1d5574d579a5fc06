// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of printf calls (interface/printf_record.h).
#include "compiler/interface/printf_record.h"
#include "tests/compiler/kernel_runner.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

template <class T>
T read(const std::vector<std::byte>& record, std::size_t at) {
  T value;
  EXPECT_LE(at + sizeof value, record.size());
  std::memcpy(&value, record.data() + at, sizeof value);
  return value;
}

TEST(Printf, ScalarsVectorsAndStrings) {
  Program program({R"(kernel void k(char c, float f, float3 v, ulong l) {
    printf("%d %f %v3f %lu %s %v4hhd\n", c, f, v, l, "text", (char4)(1, 2, 3, 4));
  })",
                   {"-w"}});
  const std::array<float, 4> v = {1, 2, 3, 0};
  program.run("k", {}, {bytes<signed char>(-5), bytes(1.5F), bytes(v), bytes<std::uint64_t>(77)});
  ASSERT_EQ(program.records().size(), 1U);
  const auto& record = program.records().front();
  const auto header = read<abi::PrintfHeader>(record, 0);
  EXPECT_STREQ(header.format, "%d %f %v3f %lu %s %v4hhd\n");
  ASSERT_EQ(header.argument_count, 6U);
  struct Expected {
    abi::PrintfKind kind;
    std::uint32_t bytes, count;
  };
  const Expected expected[] = {{abi::PrintfKind::integer, 4, 1},  {abi::PrintfKind::floating, 8, 1},
                               {abi::PrintfKind::floating, 4, 3}, {abi::PrintfKind::integer, 8, 1},
                               {abi::PrintfKind::pointer, 8, 1},  {abi::PrintfKind::integer, 1, 4}};
  std::size_t at = sizeof(abi::PrintfHeader);
  std::vector<std::size_t> values;
  for (const auto& want : expected) {
    const auto argument = read<abi::PrintfArgument>(record, at);
    EXPECT_EQ(argument.kind, want.kind);
    EXPECT_EQ(argument.element_bytes, want.bytes);
    EXPECT_EQ(argument.element_count, want.count);
    values.push_back(at + sizeof argument);
    at = values.back() + (want.bytes * want.count + 7) / 8 * 8;
  }
  EXPECT_EQ(at, record.size());
  EXPECT_EQ(read<int>(record, values[0]), -5);
  EXPECT_EQ(read<double>(record, values[1]), 1.5);
  EXPECT_EQ(read<float>(record, values[2] + 8), 3);
  EXPECT_EQ(read<std::uint64_t>(record, values[3]), 77U);
  EXPECT_STREQ(read<const char*>(record, values[4]), "text");
  EXPECT_EQ(read<signed char>(record, values[5] + 3), 4);
}

TEST(Printf, FromEveryItemOfALoop) {
  Program program({R"(void say(int i) { printf("%d", i); }
    kernel void k() { for (int i = 0; i < 3; ++i) { say(i); barrier(CLK_LOCAL_MEM_FENCE); } })"});
  program.run("k", {{4, 1, 1}, {2, 1, 1}}, {});
  ASSERT_EQ(program.records().size(), 12U);
  EXPECT_EQ(read<int>(program.records()[2], 32), 1);
}

} // namespace
} // namespace heddle::test
