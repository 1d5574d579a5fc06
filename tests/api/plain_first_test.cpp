// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that begin without optimizations, because the build of the kernel takes long, and go on
// in its result. Child processes run with other settings: the driver reads the environment once.
#include "conformance/programs/command_buffer_api.h"
#include "tests/api/api_test.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

// What may depend on the unit: local memory and barriers, copies, divisors, math, sub-groups. No
// value is a NaN, whose sign may depend on it, too.
constexpr const char* kSource = R"(
  kernel void math(global float* out, global const float* in) {
    size_t at = get_global_linear_id();
    float s = in[at];
    for (int k = 0; k < 20; ++k)
      s = sin(s) * 1.5f + exp(-s * s) / (s + 3.0f) + fma(s, 0.25f, -0.1f);
    out[at] = s + (convert_int(s * 100) % ((int)at - 40)) + s * in[at] + out[at] * 0.25f;
  }
  kernel void turned(global float* out, global const float* in, local float* part) {
    local float tile[256];
    size_t id = get_local_linear_id(), items = get_local_size(0) * get_local_size(1);
    part[id] = in[get_global_linear_id()];
    for (int k = 0; k < 5; ++k) {
      barrier(CLK_LOCAL_MEM_FENCE);
      tile[id] = part[(id + 1) % items] * 0.5f + part[(id * 7 + 3) % items];
      barrier(CLK_LOCAL_MEM_FENCE);
      part[id] = tile[items - 1 - id];
    }
    out[get_global_linear_id()] += part[id] + tile[id];
  }
  // Its groups are numbered in another order in the optimized unit, whose lanes run along y.
  kernel void columns(global float* out, global const float* in, int steps) {
    size_t at = get_global_id(0) * get_global_size(1) + get_global_id(1);
    float s = in[at];
    for (int k = 0; k < steps; ++k)
      s = s * s - 0.7f + in[at] * 0.1f;
    out[at] += s + get_group_id(0) * 3 + get_group_id(1);
  }
  kernel void sub_groups(global float* out, global const float* in) {
    size_t at = get_global_linear_id();
    out[at] = sub_group_reduce_add(in[at]) + get_sub_group_local_id() + work_group_scan_inclusive_add(in[at]);
  }
  kernel void overlapping(global float* out, global const float* in) {
    size_t at = get_global_linear_id();
    for (int k = 0; k < 20; ++k)
      out[at] = out[at] * 0.25f + in[at] * 0.5f;
  })";
constexpr const char* kKernels[] = {"math", "turned", "columns", "sub_groups", "overlapping"};
constexpr int kOptimizedUnits = 6; // of the last kernel two
constexpr int kPlainUnits = 5;
constexpr const char* kMaxWork = "4000000000";
constexpr size_t kSide = 256;

// A comment that differs makes another program of it.
std::string digest_of_all(const std::string& comment, int launches) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, kSource + ("// " + comment), "-cl-std=CL3.0");
  std::vector<float> values(kSide * kSide);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i * 7919 % 1000) / 999.0f - 0.5f;
  std::string all;
  for (const std::string name : kKernels) {
    const auto kernel = make_kernel(program, name.c_str());
    const auto in = make_buffer(context, values.size() * 4, values.data());
    const auto out = make_buffer(context, values.size() * 4, values.data());
    if (name == "turned")
      set_args(kernel, out, in, Local{256 * 4});
    else if (name == "overlapping")
      set_args(kernel, out, out);
    else if (name != "columns")
      set_args(kernel, out, in);
    for (int i = 0; i < launches; ++i) {
      if (name == "columns") // All together are too short for a unit for their local size.
        set_args(kernel, out, in, cl_int{i == 0 ? 100 : 5});
      run(queue, kernel, {{kSide, kSide}, {16, 4}, {}});
      const auto found = read<cl_uint>(queue, out, values.size());
      all.append(reinterpret_cast<const char*>(found.data()), found.size() * sizeof found[0]);
    }
  }
  return std::to_string(std::hash<std::string>()(all));
}

constexpr int kLaunches = 6;

TEST(PlainFirstChild, DISABLED_HasTheResults) {
  alarm(100);
  EXPECT_EQ(digest_of_all("", kLaunches), std::getenv("HEDDLE_TEST_DIGEST"));
}

// Launches a kernel once, perhaps after a query for programs that tune themselves, and tells how
// many units there are before the launch has ended.
TEST(PlainFirstChild, DISABLED_IsTimed) {
  alarm(60);
  const auto context = make_context();
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_int status = CL_SUCCESS;
  const Queue queue(clCreateCommandQueueWithProperties(context, device(), properties, &status));
  check(status, "clCreateCommandQueueWithProperties");
  const auto program = build(context, kSource, "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "math");
  if (std::getenv("HEDDLE_TEST_QUERY") != nullptr) {
    size_t most = 0;
    check(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most,
                                   nullptr),
          "clGetKernelWorkGroupInfo");
  }
  const auto in = make_buffer(context, kSide * kSide * 4);
  const auto out = make_buffer(context, kSide * kSide * 4);
  set_args(kernel, out, in);
  run(queue, kernel, {{kSide, 16}, {16, 4}, {}});
}

// Runs each kernel once: launched, or in a command buffer.
TEST(PlainFirstChild, DISABLED_RunsEachOnce) {
  alarm(100);
  const bool records = std::getenv("HEDDLE_TEST_RECORDS") == std::string("1");
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, kSource, "-cl-std=CL3.0");
  const command_buffers::Api api(platform());
  const cl_command_queue handle = queue;
  cl_int error = CL_SUCCESS;
  const auto buffer = api.create(1, &handle, nullptr, &error);
  check(error, "clCreateCommandBufferKHR");
  const auto in = make_buffer(context, kSide * kSide * 4);
  const auto out = make_buffer(context, kSide * kSide * 4);
  std::vector<Kernel> kernels;
  for (const std::string name : kKernels) {
    const auto& kernel = kernels.emplace_back(make_kernel(program, name.c_str()));
    if (name == "turned")
      set_args(kernel, out, in, Local{256 * 4});
    else if (name == "columns")
      set_args(kernel, out, in, cl_int{5});
    else
      set_args(kernel, out, in);
    const size_t global[] = {kSide, 16}, local[] = {16, 4};
    if (records)
      check(api.kernel(buffer, nullptr, nullptr, kernel, 2, nullptr, global, local, 0, nullptr,
                       nullptr, nullptr),
            "clCommandNDRangeKernelKHR");
    else
      check(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
  }
  check(api.finalize(buffer), "clFinalizeCommandBufferKHR");
  if (records)
    check(api.enqueue(0, nullptr, buffer, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
  check(clFinish(queue), "clFinish");
  check(api.release(buffer), "clReleaseCommandBufferKHR");
}

// Ends while the build of the kernel is going on.
TEST(PlainFirstChild, DISABLED_LeavesDuringTheBuild) {
  alarm(60);
  digest_of_all("left", 1);
  std::exit(0);
}

// The same with a kernel whose code generation takes long, and a look at how long the exit takes.
std::chrono::steady_clock::time_point exit_began;
TEST(PlainFirstChild, DISABLED_LeavesSoon) {
  alarm(60);
  // Registered before the driver's handler, hence called after it.
  std::atexit([] {
    if (std::chrono::steady_clock::now() - exit_began > std::chrono::milliseconds(400))
      _exit(3);
  });
  std::string source = "kernel void k(global float* a) { float v = a[get_global_id(0)];\n";
  for (int i = 0; i < 3000; ++i)
    source += "v = v * a[get_global_id(0) * 3 + " + std::to_string(i * 7) + "] + sin(v);\n";
  const auto context = make_context();
  const auto program = build(context, source + "a[get_global_id(0)] = v; }");
  [[maybe_unused]] const auto kernel = make_kernel(program, "k"); // begins the build
  usleep(500'000);
  exit_began = std::chrono::steady_clock::now();
  std::exit(0);
}

// Launches many kernels that take long to build, each of which waits for a short time for its
// build.
TEST(PlainFirstChild, DISABLED_LaunchesManyKernels) {
  alarm(100);
  constexpr int kKernelCount = 8;
  std::string source;
  for (int k = 0; k < kKernelCount; ++k) {
    source += "kernel void k" + std::to_string(k) +
              "(global float* a) { size_t at = get_global_id(0); float v = a[at];\n";
    for (int i = 0; i < 300; ++i)
      source += "v = v * a[(at + " + std::to_string(i * 7 + k) + ") % 4096] + sin(v);\n";
    source += "a[at] = v; }\n";
  }
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, source);
  const auto buffer = make_buffer(context, 4096 * 4);
  std::ptrdiff_t most = 0;
  for (int k = 0; k < kKernelCount; ++k) {
    const auto kernel = make_kernel(program, ("k" + std::to_string(k)).c_str());
    set_args(kernel, buffer);
    ASSERT_EQ(enqueue(queue, kernel, {{4096}, {16}, {}}), CL_SUCCESS);
    std::ptrdiff_t threads = 0;
    for (const auto& task : fs::directory_iterator("/proc/self/task")) {
      std::string name;
      std::getline(std::ifstream(task.path() / "comm"), name);
      threads += name == "heddle-units";
    }
    most = std::max(most, threads);
  }
  EXPECT_GE(most, 1);
  EXPECT_LE(most, 2); // HEDDLE_NUM_THREADS
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

int run_child(const char* name, std::string& output) {
  const auto result = run_self({std::string("--gtest_filter=PlainFirstChild.DISABLED_") + name,
                                "--gtest_also_run_disabled_tests"});
  output = result.output;
  return WIFEXITED(result.status) ? WEXITSTATUS(result.status) : -1;
}

class PlainFirstTest : public testing::Test {
 protected:
  void SetUp() override {
    // Before the environment changes, because this process has the usual settings.
    static const auto digest = digest_of_all("", kLaunches);
    std::string name = (fs::temp_directory_path() / "heddle-plain-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    set("HEDDLE_TEST_DIGEST", digest.c_str());
    set("HEDDLE_CACHE_DIR", folder_.c_str());
    set("HEDDLE_PLAIN_AFTER", "0");
    set("HEDDLE_PLAIN_WORK", "0");
  }
  void TearDown() override {
    for (const auto& [name, value] : before_)
      value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
    fs::remove_all(folder_);
  }
  void set(const char* name, const char* value) {
    const char* before = std::getenv(name);
    before_.try_emplace(name, before ? std::optional<std::string>(before) : std::nullopt);
    setenv(name, value, 1);
  }
  int count_units() const {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      count += entry.path().extension() == ".so";
    return count;
  }

  fs::path folder_;
  std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(PlainFirstTest, GivesTheSameResults) {
  std::string output;
  EXPECT_EQ(run_child("HasTheResults", output), 0) << output;
  // Those without optimizations, too, unless a build was as fast. The last builds may not have
  // ended.
  const auto units = count_units();
  EXPECT_GT(units, kOptimizedUnits - 2);
  // Now they are in the cache.
  EXPECT_EQ(run_child("HasTheResults", output), 0) << output;
  EXPECT_GE(count_units(), units);
}

// The optimized units are not built while nothing needs them. Those with sub-groups wait for them.
TEST_F(PlainFirstTest, ShortLaunchesRunWhileNothingElseIsThere) {
  set("HEDDLE_BACKGROUND", "0");
  set("HEDDLE_PLAIN_AFTER", "100000");
  std::string output;
  EXPECT_EQ(run_child("HasTheResults", output), 0) << output;
  // Units for local sizes may come on a busy machine.
  EXPECT_GE(count_units(), kOptimizedUnits);
  EXPECT_LT(count_units(), kOptimizedUnits + kPlainUnits);
  fs::remove_all(folder_);
  set("HEDDLE_PLAIN_WORK", kMaxWork);
  EXPECT_EQ(run_child("HasTheResults", output), 0) << output;
  // Plain ones, and the one with sub-groups.
  EXPECT_GE(count_units(), kPlainUnits + 1);
  EXPECT_LT(count_units(), kPlainUnits + kOptimizedUnits);
}

TEST_F(PlainFirstTest, ShortLaunchesGoOnInTheOptimizedUnit) {
  set("HEDDLE_PLAIN_AFTER", "100000");
  set("HEDDLE_PLAIN_WORK", kMaxWork);
  std::string output;
  EXPECT_EQ(run_child("HasTheResults", output), 0) << output;
}

TEST_F(PlainFirstTest, LaunchesInBoth) {
  set("HEDDLE_MIX", "1");
  set("HEDDLE_PLAIN_AFTER", "100000"); // else the process may end before the last units are built
  std::string output;
  EXPECT_EQ(run_child("HasTheResults", output), 0) << output;
  EXPECT_GE(count_units(), kPlainUnits + kOptimizedUnits);
}

// The exit waits for builds, or programs that end before their kernels are built would never have
// them.
TEST_F(PlainFirstTest, ProcessesThatEndEarlyLeaveTheirBuilds) {
  set("HEDDLE_PLAIN_AFTER", "100000");
  set("HEDDLE_PLAIN_WORK", kMaxWork);
  set("HEDDLE_QUICK", "off");
  std::string output;
  for (int run = 0; run < 40 && count_units() < kPlainUnits + kOptimizedUnits; ++run)
    EXPECT_EQ(run_child("LeavesDuringTheBuild", output), 0) << output;
  // On a busy machine maybe also units for the local sizes.
  EXPECT_GE(count_units(), kPlainUnits + kOptimizedUnits);
}

TEST_F(PlainFirstTest, QuickUnitsGiveTheSameResults) {
  set("HEDDLE_QUICK", "each");
  set("HEDDLE_BACKGROUND", "0"); // nothing takes their place
  set("HEDDLE_PLAIN_AFTER", "100000");
  set("HEDDLE_PLAIN_WORK", kMaxWork);
  std::string output;
  EXPECT_EQ(run_child("HasTheResults", output), 0) << output;
  EXPECT_GE(count_units(), kPlainUnits);
}

// Only a program that tunes itself waits for optimized code when it measures a launch.
TEST_F(PlainFirstTest, ProgramsThatTuneThemselvesMeasureOptimizedCode) {
  set("HEDDLE_BACKGROUND", "0"); // only what is needed is built
  set("HEDDLE_PLAIN_WORK", kMaxWork);
  std::string output;
  EXPECT_EQ(run_child("IsTimed", output), 0) << output;
  EXPECT_EQ(count_units(), 1);
  set("HEDDLE_TEST_QUERY", "1");
  EXPECT_EQ(run_child("IsTimed", output), 0) << output;
  EXPECT_EQ(count_units(), 2);
}

TEST_F(PlainFirstTest, FirstReplaysWaitForNoMoreUnitsThanLaunches) {
  set("HEDDLE_BACKGROUND", "0"); // only what is waited for is built
  set("HEDDLE_PLAIN_WORK", kMaxWork);
  int units[2]{};
  for (const bool records : {false, true}) {
    set("HEDDLE_TEST_RECORDS", records ? "1" : "0");
    std::string output;
    EXPECT_EQ(run_child("RunsEachOnce", output), 0) << output;
    units[records] = count_units();
    fs::remove_all(folder_);
  }
  EXPECT_GE(units[0], kPlainUnits);
  EXPECT_LE(units[1], units[0]);
}

TEST_F(PlainFirstTest, NoMoreBuildsRunThanThereAreComputeUnits) {
  set("HEDDLE_PLAIN_AFTER", "20");
  set("HEDDLE_NUM_THREADS", "2");
  std::string output;
  EXPECT_EQ(run_child("LaunchesManyKernels", output), 0) << output;
}

// Who asks for certain rows, or a width, does not want to see, or to measure, another form.
TEST_F(PlainFirstTest, NotInPlaceOfAFormThatIsAskedFor) {
  set("HEDDLE_ROWS", "1");
  set("HEDDLE_PLAIN_AFTER", "1");
  set("HEDDLE_BACKGROUND", "0"); // or generic ones may be begun on a busy machine
  std::string output;
  EXPECT_EQ(run_child("HasTheResults", output), 0) << output;
  EXPECT_EQ(count_units(), kOptimizedUnits);
}

TEST_F(PlainFirstTest, CanBeOff) {
  set("HEDDLE_VARIANTS", "off");
  std::string output;
  EXPECT_EQ(run_child("HasTheResults", output), 0) << output;
  EXPECT_EQ(count_units(), kOptimizedUnits);
}

TEST_F(PlainFirstTest, ExitDuringTheBuild) {
  std::string output;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run_child("LeavesDuringTheBuild", output), 0) << output;
}

TEST_F(PlainFirstTest, ExitDoesNotWaitForTheCompiler) {
  std::string output;
  int status = -1;
  for (int i = 0; i < 5 && status != 0; ++i) // the machine may be busy
    status = run_child("LeavesSoon", output);
  EXPECT_EQ(status, 0) << output;
}

} // namespace
} // namespace heddle::test
