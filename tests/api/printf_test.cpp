// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf (OpenCL C 6.15.13): a kernel's output is written to standard output, in order, before
// clFinish returns. Each test runs its kernel in a child process, whose output is compared.
#include "tests/api/api_test.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <sys/wait.h>

namespace heddle::test {
namespace {

// Kernel sources by name; the child process runs one.
std::string source_of(const std::string& name) {
  if (name == "formats")
    return R"(kernel void k() {
      printf("int %d %i %u %x %X %o\n", -5, 7, 4000000000u, 0xbeef, 0xBEEF, 8);
      printf("width [%5d] [%-5d] [%05d] [%+d] [%#x]\n", 42, 42, 42, 42, 255);
      printf("float %f %.2f %e %g %10.3f|\n", 1.5f, 3.14159f, 12345.678f, 0.0001f, 2.0f);
      printf("text %s %c %%\n", "inside", 'z');
      printf("long %ld %lu %lx\n", -5000000000l, 18446744073709551615ul, 0x123456789abcl);
      printf("small %hhd %hd\n", (char)-3, (short)-300);
      printf("sizes %zu %zd %tx %zX\n", (size_t)18446744073709551615ul, (ptrdiff_t)-2, (ptrdiff_t)255, get_global_size(0));
      printf("no arguments\n");
    })";
  if (name == "halves")
    return R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k() {
      half h = (half)0.1f;
      printf("%.4f %g %a\n", h, (half)65504.0f, (half)1.5f);
      printf("%.2v4hf|\n", (half4)(1.0f, -2.5f, 6.103515625e-5f, INFINITY));
    })";
  if (name == "vectors")
    return R"(kernel void k() {
      printf("%v4hld\n", (int4)(1, -2, 3, -4));
      printf("%2.1v4hlf|\n", (float4)(1.0f, 2.5f, 3.0f, 4.25f));
      printf("%v2ld\n", (long2)(5000000000l, -1));
      printf("%v3hhu\n", (uchar3)(255, 0, 7));
      printf("%#v8hx\n", (ushort8)(1, 2, 3, 4, 5, 6, 7, 0xffff));
    })";
  if (name == "order")
    return R"(kernel void k() { for (int i = 0; i < 200; ++i) printf("line %d\n", i); })";
  if (name == "items")
    return R"(kernel void k() { printf("item %d of %d\n", (int)get_global_id(0), (int)get_global_size(0)); })";
  if (name == "barrier")
    return R"(kernel void k() {
      if (get_local_id(0) == 0) printf("first\n");
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == get_local_size(0) - 1) printf("second\n");
    })";
  if (name == "result")
    return R"(kernel void k() { int r = printf("x"); printf("%d\n", r); })";
  return "";
}

std::string printed(const std::string& name, size_t items, size_t group) {
  const auto result =
      run_self({"--gtest_filter=Child.DISABLED_Prints", "--gtest_also_run_disabled_tests",
                "--gtest_brief=1", name, std::to_string(items), std::to_string(group)});
  EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) << result.output;
  const auto begin = result.output.find("<<<"), end = result.output.find(">>>");
  if (begin == std::string::npos || end == std::string::npos)
    return "no output: " + result.output;
  return result.output.substr(begin + 3, end - begin - 3);
}

TEST(Child, DISABLED_Prints) {
  const auto arguments = testing::internal::GetArgvs();
  ASSERT_GE(arguments.size(), 4u);
  const auto n = arguments.size();
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, source_of(arguments[n - 3]));
  const auto kernel = make_kernel(program, "k");
  const size_t items = std::stoul(arguments[n - 2]), group = std::stoul(arguments[n - 1]);
  std::printf("<<<");
  std::fflush(stdout);
  run(queue, kernel, {{items}, {group}, {}});
  check(clFinish(queue), "clFinish");
  std::printf(">>>");
  std::fflush(stdout);
}

TEST(Printf, Formats) {
  EXPECT_EQ(printed("formats", 1, 1), "int -5 7 4000000000 beef BEEF 10\n"
                                      "width [   42] [42   ] [00042] [+42] [0xff]\n"
                                      "float 1.500000 3.14 1.234568e+04 0.0001      2.000|\n"
                                      "text inside z %\n"
                                      "long -5000000000 18446744073709551615 123456789abc\n"
                                      "small -3 -300\n"
                                      "sizes 18446744073709551615 -2 ff 1\n"
                                      "no arguments\n");
}

TEST(Printf, Vectors) {
  EXPECT_EQ(printed("vectors", 1, 1), "1,-2,3,-4\n"
                                      "1.0,2.5,3.0,4.2|\n"
                                      "5000000000,-1\n"
                                      "255,0,7\n"
                                      "0x1,0x2,0x3,0x4,0x5,0x6,0x7,0xffff\n");
}

TEST(Printf, Halves) {
  EXPECT_EQ(printed("halves", 1, 1), "0.1000 65504 0x1.8p+0\n"
                                     "1.00,-2.50,0.00,inf|\n");
}

TEST(Printf, OrderOfOneItem) {
  std::string expected;
  for (int i = 0; i != 200; ++i)
    expected += "line " + std::to_string(i) + "\n";
  EXPECT_EQ(printed("order", 1, 1), expected);
}

TEST(Printf, EveryItemWholeLines) {
  std::istringstream lines(printed("items", 300, 10));
  std::vector<std::string> seen, expected;
  for (std::string line; std::getline(lines, line);)
    seen.push_back(line);
  for (int i = 0; i != 300; ++i)
    expected.push_back("item " + std::to_string(i) + " of 300");
  std::sort(seen.begin(), seen.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(seen, expected);
}

TEST(Printf, AcrossBarriers) { EXPECT_EQ(printed("barrier", 16, 16), "first\nsecond\n"); }

TEST(Printf, Result) { EXPECT_EQ(printed("result", 1, 1), "x0\n"); }

} // namespace
} // namespace heddle::test
