// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries and binaries that do not wait for optimized builds: these are made to fail in a child
// process, and the program's log tells whether one was asked for.
#include "tests/api/api_test.h"

#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::test {
namespace {

constexpr const char* kSource = R"(
  kernel void turn(global int* out, local int* part) {
    local int tile[100];
    int id = get_local_id(0), items = get_local_size(0);
    tile[id % 100] = 0;
    part[id] = out[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = part[items - 1 - id] + 1;
  }
  kernel void spread(global int* out, int n) {
    int own[2000];
    int id = get_local_id(0);
    for (int i = 0; i < 2000; ++i)
      own[i] = i * n + id;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = own[out[get_global_id(0)]];
  }
  kernel void next(global int* out) { out[get_global_id(0)] += 1; })";
constexpr int kItems = 64;

template <class Value>
Value ask(cl_kernel kernel, cl_kernel_work_group_info name) {
  Value value{};
  check(clGetKernelWorkGroupInfo(kernel, device(), name, sizeof value, &value, nullptr), "query");
  return value;
}

std::string log_of(cl_program program) {
  char text[4000] = "";
  check(clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, sizeof text, text, nullptr),
        "log");
  return text;
}

size_t binary_size(cl_program program) {
  size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "size");
  return size;
}

std::vector<cl_int> run_on_zeros(cl_context context, cl_command_queue queue, cl_kernel kernel,
                                 size_t items) {
  const std::vector<cl_int> zeros(items);
  const auto out = make_buffer(context, items * sizeof(cl_int), zeros.data());
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), out.address()), "clSetKernelArg");
  run(queue, kernel, {{items}, {items}, {}});
  return read<cl_int>(queue, out, items);
}

TEST(QuickAnswersChild, DISABLED_AsksForNoOptimizedBuild) {
  alarm(60);
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, kSource, "");
  const auto turn = make_kernel(program, "turn");
  const auto spread = make_kernel(program, "spread");
  check(clSetKernelArg(turn, 1, kItems * sizeof(cl_int), nullptr), "clSetKernelArg");
  const auto most = ask<size_t>(turn, CL_KERNEL_WORK_GROUP_SIZE);
  const auto most_spread = ask<size_t>(spread, CL_KERNEL_WORK_GROUP_SIZE);
  EXPECT_GE(most, 1024u);
  EXPECT_GE(ask<cl_ulong>(turn, CL_KERNEL_LOCAL_MEM_SIZE), (100 + kItems) * sizeof(cl_int));
  const auto multiple = ask<size_t>(turn, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  const size_t local_size = kItems;
  const auto sub_group_size = [&] {
    size_t value = 0;
    check(clGetKernelSubGroupInfo(turn, device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                  sizeof local_size, &local_size, sizeof value, &value, nullptr),
          "clGetKernelSubGroupInfo");
    return value;
  };
  EXPECT_EQ(sub_group_size(), multiple);
  const auto size = binary_size(program);
  EXPECT_EQ(run_on_zeros(context, queue, turn, kItems), std::vector<cl_int>(kItems, 1));
  EXPECT_EQ(log_of(program), "");
  // This one does ask, and the log of one that has failed tells so.
  ask<cl_ulong>(turn, CL_KERNEL_PRIVATE_MEM_SIZE);
  EXPECT_NE(log_of(program).find("its optimized build failed"), std::string::npos);
  // What was told stays true.
  EXPECT_EQ(ask<size_t>(turn, CL_KERNEL_WORK_GROUP_SIZE), most);
  EXPECT_EQ(ask<size_t>(turn, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE), multiple);
  EXPECT_EQ(sub_group_size(), multiple);
  EXPECT_EQ(binary_size(program), size);
  check(clSetKernelArg(spread, 1, sizeof(cl_int), &kItems), "clSetKernelArg");
  const auto found = run_on_zeros(context, queue, spread, most_spread);
  EXPECT_EQ(found.back(), static_cast<cl_int>(most_spread) - 1);

  // The binary has all kernels.
  std::vector<unsigned char> bytes(size);
  auto* into = bytes.data();
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof into, &into, nullptr), "binary");
  const auto target = device();
  const unsigned char* data = bytes.data();
  cl_int status = CL_SUCCESS;
  const Program again(
      clCreateProgramWithBinary(context, 1, &target, &size, &data, nullptr, &status));
  check(status, "clCreateProgramWithBinary");
  check(clBuildProgram(again, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
  const auto next = make_kernel(again, "next");
  EXPECT_EQ(run_on_zeros(context, queue, next, kItems), std::vector<cl_int>(kItems, 1));
  EXPECT_EQ(log_of(again), "");
}

TEST(QuickAnswersTest, AsksForNoOptimizedBuild) {
  std::string before;
  if (const char* work = std::getenv("HEDDLE_PLAIN_WORK"))
    before = work;
  unsetenv("HEDDLE_PLAIN_WORK");
  for (const auto& [name, value] :
       {std::pair("HEDDLE_FAIL", "*"), {"HEDDLE_CACHE", "0"}, {"HEDDLE_BACKGROUND", "0"}})
    setenv(name, value, 1);
  const auto result = run_self({"--gtest_filter=QuickAnswersChild.DISABLED_AsksForNoOptimizedBuild",
                                "--gtest_also_run_disabled_tests"});
  for (const char* name : {"HEDDLE_FAIL", "HEDDLE_CACHE", "HEDDLE_BACKGROUND"})
    unsetenv(name);
  if (!before.empty())
    setenv("HEDDLE_PLAIN_WORK", before.c_str(), 1);
  EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) << result.output;
}

} // namespace
} // namespace heddle::test
