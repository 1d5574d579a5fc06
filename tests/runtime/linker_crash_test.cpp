// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A build that crashes during a link fails, and the linker is usable for the next one.
// HEDDLE_REAL_COMPILER is libheddle-compiler.so. Its calls of write() are resolved to this
// program's, which faults on the linker's output file on request.
#include "runtime/program/compiler_host.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<bool> faults{false};
std::atomic<int> faulted{0};
volatile int* volatile nowhere = nullptr;

bool is_linker_output(int descriptor) {
  char name[256] = {};
  const auto path = "/proc/self/fd/" + std::to_string(descriptor);
  return readlink(path.c_str(), name, sizeof name - 1) > 0 && std::strstr(name, "heddle-kernels");
}

} // namespace

extern "C" __attribute__((visibility("default"))) ssize_t write(int descriptor, const void* bytes,
                                                                size_t count) {
  if (faults && is_linker_output(descriptor)) {
    ++faulted;
    *nowhere = 1;
  }
  return syscall(SYS_write, descriptor, bytes, count);
}

namespace heddle {
namespace {

// Options are read once, at the first use.
const bool environment_is_set = [] {
  setenv("HEDDLE_COMPILER", HEDDLE_REAL_COMPILER, 1);
  setenv("HEDDLE_BUILD_SECONDS", "20", 1);
  return true;
}();

CompileResult compile() {
  CompileRequest request;
  request.source = "kernel void k(global int* a) { a[get_global_id(0)] = 1; }";
  request.source_name = "k.cl";
  return compiler_host::run(std::move(request));
}

std::size_t open_files() {
  const std::filesystem::directory_iterator first("/proc/self/fd"), last;
  return static_cast<std::size_t>(std::distance(first, last));
}

TEST(LinkerCrash, NextBuildLinks) {
  ASSERT_EQ(compile().log, "");
  const auto files = open_files();
  for (int i = 1; i <= 3; ++i) {
    faults = true;
    const auto crashed = compile();
    faults = false;
    ASSERT_EQ(faulted, i) << "the link did not come through write()";
    EXPECT_EQ(crashed.status, HEDDLE_BUILD_FAILURE);
    EXPECT_NE(crashed.log.find("SIGSEGV"), std::string::npos) << crashed.log;
    const auto next = compile();
    EXPECT_EQ(next.status, HEDDLE_OK) << next.log;
    EXPECT_FALSE(next.output.empty());
  }
  EXPECT_EQ(open_files(), files);
}

} // namespace
} // namespace heddle
