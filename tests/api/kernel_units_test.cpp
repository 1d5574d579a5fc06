// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kernel is built when it is needed, on any thread: what is built and what is not, and builds
// that are in progress when a program is released, and when the process forks or exits.
#include "tests/api/api_test.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

constexpr int kKernels = 12;

// Kernel k<i> writes id * i + the seed, after some work that takes time to compile; all count in a
// variable that they share.
std::string source_of(int seed) {
  std::string text = "global int launches = 0;\n";
  for (int i = 0; i < kKernels; ++i) {
    const auto number = std::to_string(i);
    text += "kernel void k" + number + "(global int* out, int n) { size_t x = get_global_id(0);\n";
    text += "  int v = 0; for (int j = 0; j < n; ++j) v += out[(x + j) % n] * " + number + ";\n";
    text += "  if (v == 12345) out[0] = clz(v);\n";
    text += "  if (x == 0) atomic_fetch_add((volatile global atomic_int*)&launches, 1);\n";
    text += "  out[x] = x * " + number + " + " + std::to_string(seed) + "; }\n";
  }
  text += "kernel void count(global int* out) { *out = launches; }\n";
  return text;
}

constexpr const char* kOptions = "-cl-std=CL3.0";

std::size_t files_in(const fs::path& folder, const char* extension) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    count += entry.path().extension() == extension;
  return count;
}

void expect_kernel_works(cl_context context, cl_command_queue queue, cl_kernel kernel, int number,
                         int seed) {
  const auto out = make_buffer(context, 64 * sizeof(cl_int));
  const cl_int none = 0;
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), out.address()), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof none, &none), "clSetKernelArg");
  // A launch that leaves the local size to the driver waits for what it is told about a kernel that
  // may have a barrier, which begins the build of the next one.
  run(queue, kernel, {{64}, {64}, {}});
  EXPECT_EQ(read<cl_int>(queue, out, 64)[63], 63 * number + seed) << number;
}

std::vector<Kernel> make_all(cl_program program) {
  std::vector<Kernel> kernels;
  for (int i = 0; i < kKernels; ++i)
    kernels.push_back(make_kernel(program, ("k" + std::to_string(i)).c_str()));
  return kernels;
}

int count_of(cl_context context, cl_command_queue queue, cl_program program) {
  const auto kernel = make_kernel(program, "count");
  const auto out = make_buffer(context, sizeof(cl_int));
  set_args(kernel, out);
  run(queue, kernel, {{1}, {}, {}});
  return read<cl_int>(queue, out, 1)[0];
}

class KernelUnitsTest : public ApiTest {
 protected:
  static int next_seed() { return static_cast<int>(getpid()) * 16 + ++seeds_; }
  void expect_works(cl_kernel kernel, int number, int seed) {
    expect_kernel_works(context_, queue_, kernel, number, seed);
  }

 private:
  static inline int seeds_ = 0;
};

// The variable at program scope is one for all kernels, wherever they are built.
TEST_F(KernelUnitsTest, AllTogether) {
  const int seed = next_seed();
  const auto program = build(context_, source_of(seed), kOptions);
  const auto kernels = make_all(program);
  for (int i = kKernels; i-- > 0;) // the last ones first
    expect_works(kernels[i], i, seed);
  EXPECT_EQ(count_of(context_, queue_, program), kKernels);
}

TEST_F(KernelUnitsTest, FromManyThreads) {
  const int seed = next_seed();
  const auto program = build(context_, source_of(seed), kOptions);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      const auto queue = make_queue(context_);
      const auto kernels = make_all(program);
      for (int i = 0; i < kKernels; ++i)
        expect_kernel_works(context_, queue, kernels[i], i, seed);
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(count_of(context_, queue_, program), 4 * kKernels);
}

// Released programs leave no builds behind that hold up what is built next.
TEST_F(KernelUnitsTest, ReleasedDuringBuilds) {
  for (int round = 0; round < 5; ++round) {
    const auto program = build(context_, source_of(next_seed()), kOptions);
    make_all(program);
  }
  const int seed = next_seed();
  const auto program = build(context_, source_of(seed), kOptions);
  expect_works(make_kernel(program, "k7"), 7, seed);
}

// A new build of the program, whose kernels of before are gone.
TEST_F(KernelUnitsTest, BuiltAgainDuringBuilds) {
  const auto program = make_program(context_, "kernel void k(global int* out) { *out = VALUE; }");
  for (const int value : {next_seed(), next_seed(), next_seed()}) {
    const auto options = "-DVALUE=" + std::to_string(value);
    check(clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr), "build");
    const auto kernel = make_kernel(program, "k");
    const auto out = make_buffer(context_, sizeof(cl_int));
    set_args(kernel, out);
    run(queue_, kernel, {{1}, {}, {}});
    EXPECT_EQ(read<cl_int>(queue_, out, 1)[0], value);
  }
}

// Parent and child go on with the program that was being built.
TEST_F(KernelUnitsTest, ForkDuringBuilds) {
  const int seed = next_seed();
  const auto program = build(context_, source_of(seed), kOptions);
  const auto kernels = make_all(program);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    const auto context = make_context();
    const auto queue = make_queue(context);
    const int own = seed + 1'000'000;
    const auto other = build(context, source_of(own), kOptions);
    expect_kernel_works(context, queue, make_kernel(other, "k3"), 3, own);
    // The parent's objects, which are copies here.
    size_t bytes = 0;
    cl_ulong value = 0;
    for (const auto& kernel : kernels)
      check(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_PRIVATE_MEM_SIZE, sizeof value,
                                     &value, &bytes),
            "clGetKernelWorkGroupInfo");
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  for (int i = 0; i < kKernels; ++i)
    expect_works(kernels[i], i, seed);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// A binary has all kernels, whether they were built before or not.
TEST_F(KernelUnitsTest, BinaryHasAll) {
  const int seed = next_seed();
  const auto program = build(context_, source_of(seed), kOptions);
  expect_works(make_kernel(program, "k5"), 5, seed);
  size_t size = 0, again = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "size");
  std::vector<unsigned char> binary(size);
  auto* into = binary.data();
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof into, &into, nullptr), "binary");
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof again, &again, nullptr), "size");
  EXPECT_EQ(again, size);

  std::string name = (fs::temp_directory_path() / "heddle-binary-XXXXXX").string();
  const fs::path folder = mkdtemp(name.data());
  std::ofstream(folder / "binary", std::ios::binary)
      .write(reinterpret_cast<const char*>(binary.data()), static_cast<std::streamsize>(size));
  setenv("HEDDLE_TEST_BINARY", (folder / "binary").c_str(), 1);
  setenv("HEDDLE_TEST_SEED", std::to_string(seed).c_str(), 1);
  setenv("HEDDLE_COMPILER", "/nowhere/libheddle-compiler.so", 1);
  setenv("HEDDLE_CACHE", "0", 1);
  const auto result = run_self(
      {"--gtest_filter=KernelUnitsChild.DISABLED_LoadsBinary", "--gtest_also_run_disabled_tests"});
  for (const char* variable :
       {"HEDDLE_TEST_BINARY", "HEDDLE_TEST_SEED", "HEDDLE_COMPILER", "HEDDLE_CACHE"})
    unsetenv(variable);
  EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) << result.output;
  fs::remove_all(folder);
}

// The tests below run these in child processes, because the driver reads the environment once.

// Without compiler and cache.
TEST(KernelUnitsChild, DISABLED_LoadsBinary) {
  std::ifstream file(std::getenv("HEDDLE_TEST_BINARY"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const char* number = std::getenv("HEDDLE_TEST_SEED");
  const auto seed = number ? std::atoi(number) : 0;
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto target = device();
  const auto size = bytes.size();
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  cl_int status = CL_SUCCESS;
  const Program program(
      clCreateProgramWithBinary(context, 1, &target, &size, &data, nullptr, &status));
  check(status, "clCreateProgramWithBinary");
  check(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
  const auto kernels = make_all(program);
  for (int i = 0; i < kKernels; ++i)
    expect_kernel_works(context, queue, kernels[i], i, seed);
  EXPECT_EQ(count_of(context, queue, program), kKernels);
}

TEST(KernelUnitsChild, DISABLED_UsesOne) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, source_of(1), kOptions);
  // None of these needs a kernel to be built.
  size_t kernels = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr),
        "clGetProgramInfo");
  EXPECT_EQ(kernels, kKernels + 1u);
  expect_kernel_works(context, queue, make_kernel(program, "k4"), 4, 1);
}

// What waits for a build asks for that of the next kernel, too, and of no other on two processors.
TEST(KernelUnitsChild, DISABLED_AsksForOne) {
  alarm(60);
  const auto context = make_context();
  const auto program = build(context, source_of(1), kOptions);
  const auto kernel = make_kernel(program, "k4");
  cl_ulong bytes = 0;
  check(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes, &bytes,
                                 nullptr),
        "clGetKernelWorkGroupInfo");
  const fs::path folder = std::getenv("HEDDLE_CACHE_DIR");
  while (files_in(folder, ".so") < 2)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

TEST(KernelUnitsChild, DISABLED_LeavesDuringBuilds) {
  alarm(60);
  const auto context = make_context();
  auto program = build(context, source_of(static_cast<int>(getpid())), kOptions);
  for (auto& kernel : make_all(program))
    kernel.leak();
  program.leak();
  std::exit(0);
}

// How many units a child process has left in a cache that was empty.
class KernelUnitsInCache : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "heddle-units-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    if (const char* folder = std::getenv("HEDDLE_CACHE_DIR"))
      before_ = folder;
    setenv("HEDDLE_CACHE_DIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    before_.empty() ? unsetenv("HEDDLE_CACHE_DIR") : setenv("HEDDLE_CACHE_DIR", before_.c_str(), 1);
    fs::remove_all(folder_);
  }
  void expect_units(const std::string& child, std::size_t count) {
    const auto result =
        run_self({"--gtest_filter=KernelUnitsChild." + child, "--gtest_also_run_disabled_tests"});
    EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) << result.output;
    EXPECT_EQ(files_in(folder_, ".program"), 1u);
    EXPECT_EQ(files_in(folder_, ".so"), count);
  }

 private:
  fs::path folder_;
  std::string before_;
};

TEST_F(KernelUnitsInCache, OnlyWhatIsUsedIsBuilt) {
  setenv("HEDDLE_BACKGROUND", "0", 1); // or a generic one may be begun on a busy machine
  for (int round = 0; round < 2; ++round)
    expect_units("DISABLED_UsesOne", 1);
  unsetenv("HEDDLE_BACKGROUND");
}

TEST_F(KernelUnitsInCache, NextOneIsBuiltMeanwhile) {
  std::string before;
  if (const char* threads = std::getenv("HEDDLE_NUM_THREADS"))
    before = threads;
  setenv("HEDDLE_NUM_THREADS", "2", 1);
  expect_units("DISABLED_AsksForOne", 2);
  before.empty() ? unsetenv("HEDDLE_NUM_THREADS") : setenv("HEDDLE_NUM_THREADS", before.c_str(), 1);
}

TEST(KernelUnits, ExitDuringBuilds) {
  for (int round = 0; round < 3; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const auto result = run_self({"--gtest_filter=KernelUnitsChild.DISABLED_LeavesDuringBuilds",
                                  "--gtest_also_run_disabled_tests"});
    EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0)
        << result.status << "\n"
        << result.output;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  }
}

} // namespace
} // namespace heddle::test
