// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf in kernels: formats, vectors, strings, the order of a work-item's output, and when it
// becomes visible.
#include "harness.h"

#include <algorithm>
#include <fcntl.h>
#include <sstream>
#include <unistd.h>

using namespace conformance;

namespace {

// Captures the standard output of the process.
class Capture {
 public:
  Capture() {
    std::fflush(stdout);
    char name[] = "/tmp/conformance-printf-XXXXXX";
    file_ = mkstemp(name);
    unlink(name);
    saved_ = dup(STDOUT_FILENO);
    dup2(file_, STDOUT_FILENO);
  }
  ~Capture() { finish(); }
  std::string finish() {
    if (saved_ < 0)
      return text_;
    std::fflush(stdout);
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
    saved_ = -1;
    char buffer[4096];
    lseek(file_, 0, SEEK_SET);
    for (ssize_t n; (n = ::read(file_, buffer, sizeof buffer)) > 0;)
      text_.append(buffer, size_t(n));
    close(file_);
    return text_;
  }

 private:
  int file_ = -1, saved_ = -1;
  std::string text_;
};

class Printf : public DeviceTest {
 protected:
  std::string output(const std::string& statements, const std::vector<size_t>& global = {1}) {
    Kernel kernel = make_kernel("kernel void k() { " + statements + " }", "k");
    Capture capture;
    run(kernel, global); // API, Flush and Finish: the output is complete when the command is
    return capture.finish();
  }
};

TEST_F(Printf, Integers) {
  SPEC("C, printf: conversion specifiers and flags for integers");
  EXPECT_EQ(output(R"(printf("%d %i %u %x %X %o %c|", -5, 6, 4000000000u, 255, 255, 8, 'A');)"),
            "-5 6 4000000000 ff FF 10 A|");
  EXPECT_EQ(
      output(R"(printf("[%5d][%-5d][%05d][%+d][% d][%#x][%.3d]\n", 42, 42, 42, 42, 42, 255, 7);)"),
      "[   42][42   ][00042][+42][ 42][0xff][007]\n");
  EXPECT_EQ(
      output(
          R"(printf("%ld %lu %lx %hd %hhd\n", -5000000000L, 18446744073709551615UL, 0x123456789aL, (short)-3, (char)-4);)"),
      "-5000000000 18446744073709551615 123456789a -3 -4\n");
}

TEST_F(Printf, FloatingPoint) {
  SPEC("C, printf: conversion specifiers for floating-point values");
  EXPECT_EQ(
      output(R"(printf("%f %.2f %e %g %8.3f|\n", 1.5f, 2.345f, 12345.678f, 0.0001f, 3.14159f);)"),
      "1.500000 2.35 1.234568e+04 0.0001    3.142|\n");
  EXPECT_EQ(output(R"(printf("%f %f %f %F\n", INFINITY, -INFINITY, fabs(NAN), INFINITY);)"),
            "inf -inf nan INF\n");
  EXPECT_EQ(output(R"(printf("%a\n", 1.0f);)"), "0x1p+0\n");
}

TEST_F(Printf, StringsAndPercent) {
  SPEC("C, printf: %s takes string literals; %%");
  EXPECT_EQ(output(R"(printf("%s and %10s|%-6s|%.2s %%\n", "one", "two", "three", "four");)"),
            "one and        two|three |fo %\n");
  EXPECT_EQ(output(R"(printf("no arguments\n");)"), "no arguments\n");
}

TEST_F(Printf, Vectors) {
  SPEC("C, printf: the vector specifier, with the length modifiers hh, h, hl and l");
  EXPECT_EQ(output(R"(printf("%v4hld\n", (int4)(1, -2, 3, -4));)"), "1,-2,3,-4\n");
  EXPECT_EQ(output(R"(printf("%v2hlf|%.1v4hlf\n", (float2)(1.5f, 2.5f), (float4)(1, 2, 3, 4));)"),
            "1.500000,2.500000|1.0,2.0,3.0,4.0\n");
  EXPECT_EQ(output(R"(printf("%#v4hhx\n", (uchar4)(0xFA, 0xFB, 1, 2));)"), "0xfa,0xfb,0x1,0x2\n");
  EXPECT_EQ(output(R"(printf("%v3hd %v2lu\n", (short3)(1, 2, 3), (ulong2)(1, 5000000000UL));)"),
            "1,2,3 1,5000000000\n");
}

TEST_F(Printf, ReturnValue) {
  SPEC("C, printf: returns 0 where it succeeded");
  Kernel kernel = make_kernel(R"(kernel void k(global int* out) { *out = printf("x\n"); })", "k");
  Memory out = make_buffer(std::vector<cl_int>(1, 99));
  set_arguments(kernel, out);
  Capture capture;
  run(kernel, {1});
  EXPECT_EQ(capture.finish(), "x\n");
  EXPECT_EQ(read<cl_int>(out, 1)[0], 0);
}

TEST_F(Printf, EveryWorkItemPrintsWholeLines) {
  SPEC("C, printf: one call's output is not interleaved with another's; a work-item's calls keep "
       "their order");
  std::istringstream lines(output(R"(
    int i = get_global_id(0);
    printf("item %d of %s first\n", i, "the range");
    printf("item %d second\n", i);)",
                                  {300}));
  std::vector<int> first(300, 0), second(300, 0);
  for (std::string line; std::getline(lines, line);) {
    int item = -1, end = 0;
    if (std::sscanf(line.c_str(), "item %d of the range first%n", &item, &end) == 1 &&
        size_t(end) == line.size()) {
      ASSERT_TRUE(item >= 0 && item < 300);
      ++first[item];
    } else {
      end = 0;
      ASSERT_TRUE(std::sscanf(line.c_str(), "item %d second%n", &item, &end) == 1 &&
                  size_t(end) == line.size())
          << line;
      ASSERT_TRUE(item >= 0 && item < 300);
      ++second[item];
      EXPECT_EQ(first[item], 1) << "the second call of work-item " << item << " came first";
    }
  }
  EXPECT_EQ(first, std::vector<int>(300, 1));
  EXPECT_EQ(second, std::vector<int>(300, 1));
}

TEST_F(Printf, BranchesAndLoops) {
  SPEC("C, printf: in any control flow");
  EXPECT_EQ(
      output(
          R"(for (int i = 0; i < 4; ++i) { if (i & 1) printf("odd %d;", i); else printf("even;"); } printf("\n");)"),
      "even;odd 1;even;odd 3;\n");
}

} // namespace
