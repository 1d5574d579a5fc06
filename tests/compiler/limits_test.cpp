// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hostile sources end as build failures within bounded time and memory.
#include "tests/compiler/kernel_runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace heddle::test {
namespace {

// Processor time since an earlier call of std::clock(), independent of the machine's load.
double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Builds with a limit of two seconds and 1 GiB; fails the test if it takes much longer.
Built build_bounded(const std::string& source) {
  BuildInput input{source};
  input.max_seconds = 2;
  input.max_memory_bytes = std::uint64_t{1} << 30;
  const auto start = std::clock();
  auto built = build(input);
  EXPECT_LT(seconds_since(start), 20);
  return built;
}

TEST(Limits, NestedParentheses) {
  const auto built =
      build_bounded("kernel void k(global int* a) { a[0] = " + std::string(20000, '(') + "1" +
                    std::string(20000, ')') + "; }");
  EXPECT_FALSE(built.ok());
  EXPECT_NE(built.log.find("bracket nesting level exceeded"), std::string::npos) << built.log;
}

TEST(Limits, MacroBomb) {
  std::string source = "#define M0 a[0]++;\n";
  for (int i = 1; i <= 40; ++i)
    source += "#define M" + std::to_string(i) + " M" + std::to_string(i - 1) + " M" +
              std::to_string(i - 1) + "\n";
  const auto built = build_bounded(source + "kernel void k(global int* a) { M40 }");
  EXPECT_FALSE(built.ok());
  EXPECT_NE(built.log.find("limit"), std::string::npos) << built.log;
}

TEST(Limits, ExponentialConditionals) {
  std::string source = "#define M0 1 +\n";
  for (int i = 1; i <= 40; ++i)
    source += "#define M" + std::to_string(i) + " M" + std::to_string(i - 1) + " M" +
              std::to_string(i - 1) + "\n";
  const auto built = build_bounded(source + "#if M40 0\n#endif\nkernel void k() {}");
  EXPECT_FALSE(built.ok());
  EXPECT_NE(built.log.find("limit"), std::string::npos) << built.log;
}

TEST(Limits, MillionsOfStatements) {
  std::string source = "kernel void k(global int* a) {\n";
  for (int i = 0; i < 2'000'000; ++i)
    source += "a[" + std::to_string(i) + "] += a[1];\n";
  const auto built = build_bounded(source + "}");
  EXPECT_FALSE(built.ok());
  EXPECT_NE(built.log.find("limit"), std::string::npos) << built.log;
}

// One line of a megabyte, in one function: neither columns nor passes may take quadratic time.
TEST(Limits, LongStraightFunction) {
  std::string source = "kernel void k(global int* a) {";
  for (int i = 0; i < 4'000; ++i)
    source += "a[" + std::to_string(i + 1) + "]=a[" + std::to_string(i % 1000) + "]*3;";
  BuildInput input{source + "}"};
  input.max_seconds = 60;
  const auto start = std::clock();
  const auto built = build(input);
  EXPECT_TRUE(built.ok()) << built.log;
  EXPECT_LT(seconds_since(start), 60);
}

// A slow read of a header, as on a loaded machine, takes no processor time.
TEST(Limits, TimeSpentWaitingDoesNotCount) {
  char directory[] = "/tmp/heddle-limits-XXXXXX";
  ASSERT_NE(mkdtemp(directory), nullptr);
  const std::string pipe = std::string(directory) + "/late.h";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&pipe] {
    std::ofstream file(pipe);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    file << "#define VALUE 7\n";
  });
  BuildInput input{"#include \"late.h\"\nkernel void k(global int* a) { a[0] = VALUE; }"};
  input.working_directory = directory;
  input.max_seconds = 1;
  const auto start = std::chrono::steady_clock::now();
  const auto built = build(input);
  writer.join();
  EXPECT_TRUE(built.ok()) << built.log;
  EXPECT_GT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
  unlink(pipe.c_str());
  rmdir(directory);
}

TEST(Limits, InclusionOfItself) {
  BuildInput input{"#include \"self.h\"\nkernel void k() {}"};
  input.headers = {{"self.h", "#include \"self.h\"\n#include \"self.h\"\n"}};
  const auto built = build(input);
  EXPECT_FALSE(built.ok());
  EXPECT_NE(built.log.find("nested too deeply"), std::string::npos) << built.log;
}

TEST(Limits, CallsThatDoubleAtEveryLevelAreNotAllInlined) {
  std::string source = "int f0(int x) { return x * 3 + (int)get_global_id(0); }\n";
  for (int i = 1; i <= 30; ++i) {
    const auto below = std::string("f").append(std::to_string(i - 1));
    source += "int f" + std::to_string(i) + "(int x) { return " + below + "(x) ^ " + below +
              "(x + 1); }\n";
  }
  BuildInput input{source + "kernel void k(global int* a) { if (a[1]) a[0] = f30(a[0]); }"};
  const auto built = build(input);
  EXPECT_TRUE(built.ok()) << built.log;
}

TEST(Limits, SeveralBuildsAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> succeeded = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&succeeded, t] {
      for (int i = 0; i < 5; ++i) {
        const bool good = (t + i) % 3 != 0;
        const auto built =
            build({good ? "kernel void k(global float* a) { a[0] = max(a[1], a[2]); }"
                        : "kernel void {"});
        succeeded += built.ok() == good;
      }
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(succeeded, 20);
}

} // namespace
} // namespace heddle::test
