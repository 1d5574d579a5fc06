// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Units for the local sizes that a kernel is launched with: when they are built, that results do
// not depend on them, and builds in progress when the program is released and the process forks or
// exits.
#include "tests/api/api_test.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

// What depends on the group: its size, its sub-groups, a barrier, edges, rows side by side.
constexpr const char* kSource = R"(
  kernel void product(global const float* a, global const float* b, global float* c, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
  }
  kernel void sizes(global uint* out) {
    size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[at] = get_local_size(0) << 20 | get_local_size(1) << 10 | get_enqueued_local_size(1);
  }
  kernel void sub_groups(global uint* out) {
    size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[at] = get_max_sub_group_size() << 16 | get_sub_group_id() << 8 | get_sub_group_local_id();
  }
  kernel void turned(global uint* out) {
    local uint tile[4096];
    size_t items = get_local_size(0) * get_local_size(1), id = get_local_linear_id();
    size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    tile[id] = at;
    for (uint s = 1; s < items; s *= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint other = tile[(id + s) % items];
      barrier(CLK_LOCAL_MEM_FENCE);
      tile[id] = tile[id] * 31 + other;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = tile[items - 1 - id];
  }
  kernel void places(global uint* out) {
    uint sum = get_work_dim();
    for (uint d = 0; d < 3; ++d)
      sum = sum * 31 + get_global_id(d) * 7 + get_local_id(d) * 5 + get_group_id(d) * 3 +
            get_local_size(d) + get_num_groups(d) + get_global_offset(d) * 11;
    out[get_global_linear_id()] = sum;
  })";
constexpr const char* kOptions = "-cl-std=CL3.0";
// Multiples of most local sizes, and of few: then groups are smaller at the edges.
constexpr int kSides[] = {192, 200};

struct LocalSize {
  size_t x, y;
};
constexpr LocalSize kSizes[] = {{64, 4}, {16, 16}, {8, 8}, {32, 1}, {1, 24}, {5, 7}};

std::vector<cl_uint> results(cl_context context, cl_command_queue queue, cl_kernel kernel,
                             LocalSize local, int side, bool is_product = false) {
  std::vector<float> values(static_cast<size_t>(side) * side);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i * 7919 % 1000) / 499.0f - 1.0f;
  const auto out = make_buffer(context, values.size() * 4, values.data());
  const auto a = make_buffer(context, values.size() * 4, values.data());
  if (is_product)
    set_args(kernel, a, a, out, cl_int{side});
  else
    set_args(kernel, out);
  const auto length = static_cast<size_t>(side);
  run(queue, kernel, {{length, length}, {local.x, local.y}, {}});
  return read<cl_uint>(queue, out, values.size());
}

// One to three dimensions, with offsets, with and without smaller groups at the edges.
const Range kRanges[] = {{{960}, {24}, {7}},
                         {{1000}, {24}, {}},
                         {{12, 10, 6}, {4, 5, 2}, {1, 2, 3}},
                         {{13, 9, 7}, {4, 4, 2}, {5, 0, 1}}};

void append(const std::vector<cl_uint>& values, std::string& all) {
  all.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
}

// The digest of all results, for the comparison with another setting.
std::size_t digest_of_all() {
  const auto context = make_context();
  const auto queue = make_queue(context);
  std::string all;
  for (const int side : kSides) {
    const auto program = build(context, kSource, kOptions);
    for (const std::string name : {"product", "sizes", "sub_groups", "turned"}) {
      const auto kernel = make_kernel(program, name.c_str());
      for (const auto local : kSizes)
        append(results(context, queue, kernel, local, side, name == "product"), all);
    }
  }
  const auto program = build(context, kSource, kOptions);
  const auto kernel = make_kernel(program, "places");
  for (const auto& range : kRanges) {
    const auto out = make_buffer(context, 4000);
    set_args(kernel, out);
    run(queue, kernel, range);
    append(read<cl_uint>(queue, out, 1000), all);
  }
  return std::hash<std::string>()(all);
}

// The tests below run these in child processes, because the driver reads the environment once.

TEST(LocalSizeUnitsChild, DISABLED_HasTheResults) {
  EXPECT_EQ(std::to_string(digest_of_all()), std::getenv("HEDDLE_TEST_DIGEST"));
}

// Of the cache.
int count_units(const fs::path& folder) {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    count += entry.path().extension() == ".so";
  return count;
}

// Launches until the time of several builds is used, and until there are `units`, which threads of
// low priority build.
void use(cl_context context, cl_command_queue queue, cl_kernel kernel, int units) {
  const auto buffer = make_buffer(context, 1 << 20), out = make_buffer(context, 1 << 20);
  set_args(kernel, buffer, buffer, out, cl_int{256});
  const auto start = std::chrono::steady_clock::now();
  const auto taken = [&] { return std::chrono::steady_clock::now() - start; };
  while (
      taken() < std::chrono::milliseconds(1500) ||
      (taken() < std::chrono::seconds(60) && count_units(std::getenv("HEDDLE_CACHE_DIR")) < units))
    run(queue, kernel, {{256, 256}, {64, 4}, {}});
}

TEST(LocalSizeUnitsChild, DISABLED_UsesMuchTime) {
  alarm(100);
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, kSource, kOptions);
  const char* units = std::getenv("HEDDLE_TEST_UNITS");
  const auto kernel = make_kernel(program, "product");
  if (std::getenv("HEDDLE_TEST_QUERY") != nullptr) { // which needs the generic unit
    cl_ulong bytes = 0;
    check(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes,
                                   &bytes, nullptr),
          "clGetKernelWorkGroupInfo");
  }
  use(context, queue, kernel, units != nullptr ? std::atoi(units) : 0);
}

// Ends as soon as it has used the time of a build that it found in the cache.
TEST(LocalSizeUnitsChild, DISABLED_LeavesSoon) {
  alarm(60);
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, kSource, kOptions);
  const auto kernel = make_kernel(program, "product");
  cl_ulong bytes = 0;
  check(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes, &bytes,
                                 nullptr),
        "clGetKernelWorkGroupInfo");
  const auto buffer = make_buffer(context, 1 << 20), out = make_buffer(context, 1 << 20);
  set_args(kernel, buffer, buffer, out, cl_int{256});
  const auto start = std::chrono::steady_clock::now();
  for (int launch = 0;
       launch < 8 || std::chrono::steady_clock::now() - start < std::chrono::milliseconds(15);
       ++launch)
    run(queue, kernel, {{256, 256}, {64, 4}, {}});
}

// A name of its own, so that the unit is in no cache.
std::string new_source(int number) {
  return std::string(kSource) + "// " + std::to_string(getpid()) + " " + std::to_string(number) +
         "\nconstant int unused" + std::to_string(getpid() * 8 + number) + " = 1;";
}

// Launches of several local sizes: ends while units for them are built.
void begin_builds(cl_context context, cl_command_queue queue, cl_kernel kernel) {
  const auto buffer = make_buffer(context, 1 << 20), out = make_buffer(context, 1 << 20);
  set_args(kernel, buffer, buffer, out, cl_int{256});
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; std::chrono::steady_clock::now() - start < std::chrono::milliseconds(300); ++i)
    run(queue, kernel, {{256, 256}, {size_t{1} << i % 7, 2}, {}});
}

TEST(LocalSizeUnitsChild, DISABLED_LeavesDuringBuilds) {
  alarm(60);
  const auto context = make_context();
  const auto queue = make_queue(context);
  auto program = build(context, new_source(0), kOptions);
  auto kernel = make_kernel(program, "product");
  begin_builds(context, queue, kernel);
  kernel.leak();
  program.leak();
  std::exit(0);
}

TEST(LocalSizeUnitsChild, DISABLED_UsesEachSize) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, kSource, kOptions);
  const auto kernel = make_kernel(program, "product");
  for (const auto local : kSizes)
    results(context, queue, kernel, local, kSides[0], true);
}

TEST(LocalSizeUnitsChild, DISABLED_UsesItsRequiredSize) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto out = make_buffer(context, 64 * sizeof(cl_uint));
  const auto program = build(context, R"(
    kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k(global uint* out) {
      out[get_global_id(0)] = get_local_size(0);
    })");
  const auto kernel = make_kernel(program, "k");
  set_args(kernel, out);
  run(queue, kernel, {{64}, {32}, {}});
  EXPECT_EQ(read<cl_uint>(queue, out, 64), std::vector<cl_uint>(64, 32));
}

// Units for small ids are not for others: these narrow ids that wrap around within a group.
TEST(LocalSizeUnitsChild, DISABLED_NarrowsLargeIds) {
  constexpr size_t kItems = 256;
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, R"(
    kernel void narrow(global long* out, ulong first) {
      int id = get_global_id(0);
      out[get_global_id(0) - first] = id;
    }
    kernel void behind_a_barrier(global long* out, ulong first) {
      local int ids[64];
      ids[get_local_id(0)] = get_global_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      int id = get_global_id(0);
      out[get_global_id(0) - first] = id + 0 * ids[get_local_id(0) ^ 1];
    }
    kernel void scaled(global long* out, ulong first) {
      int id = get_global_id(0) * 48;
      out[get_global_id(0) - first] = id;
    })",
                             kOptions);
  const auto out = make_buffer(context, kItems * sizeof(cl_long));
  for (const std::string name : {"narrow", "behind_a_barrier", "scaled"}) {
    const auto kernel = make_kernel(program, name.c_str());
    const cl_ulong factor = name == "scaled" ? 48 : 1;
    for (const cl_ulong first : {cl_ulong{0}, (cl_ulong{1} << 31) / 48 - 100,
                                 (cl_ulong{1} << 27) - 128, (cl_ulong{1} << 31) - 100}) {
      set_args(kernel, out, first);
      run(queue, kernel, {{kItems}, {64}, {first}});
      const auto found = read<cl_long>(queue, out, kItems);
      for (size_t i = 0; i < kItems; ++i)
        ASSERT_EQ(found[i], static_cast<cl_int>(static_cast<cl_uint>((first + i) * factor)))
            << name << " " << first << " " << i;
    }
  }
}

void expect_child_passes(const char* name) {
  const auto result = run_self({std::string("--gtest_filter=LocalSizeUnitsChild.DISABLED_") + name,
                                "--gtest_also_run_disabled_tests"});
  EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) << result.output;
}

TEST(LocalSizeUnits, GiveTheSameResults) {
  for (const char* setting : {"off", "each", "auto"}) {
    setenv("HEDDLE_TEST_DIGEST", std::to_string(digest_of_all()).c_str(), 1);
    setenv("HEDDLE_VARIANTS", setting, 1);
    expect_child_passes("HasTheResults");
    unsetenv("HEDDLE_VARIANTS");
    unsetenv("HEDDLE_TEST_DIGEST");
  }
}

// An empty cache, for child processes.
class NewCache {
 public:
  NewCache() { setenv("HEDDLE_CACHE_DIR", folder_.c_str(), 1); }
  NewCache(const NewCache&) = delete;
  ~NewCache() {
    before_.empty() ? unsetenv("HEDDLE_CACHE_DIR") : setenv("HEDDLE_CACHE_DIR", before_.c_str(), 1);
    fs::remove_all(folder_);
  }
  int units() const { return count_units(folder_); }

 private:
  static fs::path make_folder() {
    std::string name = (fs::temp_directory_path() / "heddle-sizes-XXXXXX").string();
    return mkdtemp(name.data());
  }
  static std::string current() {
    const char* known = std::getenv("HEDDLE_CACHE_DIR");
    return known ? known : "";
  }

  const std::string before_ = current();
  const fs::path folder_ = make_folder();
};

// By the number of units in the cache. The first launch has one for its local size and no other,
// and if the generic one is there, launches that use much time have.
TEST(LocalSizeUnits, AreBuiltForTheFirstLaunchAndForWhatUsesTime) {
  struct Case {
    const char* setting;
    bool asks;
    int units;
  };
  for (const auto& [setting, asks, units] :
       {Case{"auto", false, 1}, Case{"auto", true, 2}, Case{"off", false, 1}}) {
    const NewCache cache;
    setenv("HEDDLE_VARIANTS", setting, 1);
    if (asks)
      setenv("HEDDLE_TEST_QUERY", "1", 1);
    setenv("HEDDLE_BACKGROUND", "0", 1); // or a generic one may be begun on a busy machine
    setenv("HEDDLE_TUNE", "off", 1);
    setenv("HEDDLE_PLAIN_AFTER", "100000", 1);
    setenv("HEDDLE_TEST_UNITS", std::to_string(units).c_str(), 1);
    expect_child_passes("UsesMuchTime");
    for (const char* variable : {"HEDDLE_TEST_UNITS", "HEDDLE_TEST_QUERY", "HEDDLE_TUNE",
                                 "HEDDLE_PLAIN_AFTER", "HEDDLE_BACKGROUND"})
      unsetenv(variable);
    EXPECT_EQ(cache.units(), units) << setting << " " << asks;
    unsetenv("HEDDLE_VARIANTS");
  }
}

// The exit of a process waits for the unit, or programs that end early would never have it.
TEST(LocalSizeUnits, AreLeftByProcessesThatEndEarly) {
  const NewCache cache;
  setenv("HEDDLE_TUNE", "off", 1);
  setenv("HEDDLE_BACKGROUND", "0", 1); // or another generic one may be begun on a busy machine
  for (int run = 0; run < 40 && cache.units() < 2; ++run)
    expect_child_passes("LeavesSoon");
  unsetenv("HEDDLE_BACKGROUND");
  unsetenv("HEDDLE_TUNE");
  EXPECT_EQ(cache.units(), 2);
}

// A kernel whose sizes vary: for the first two, and the generic one for the others.
TEST(LocalSizeUnits, AreNotBuiltForEachOfManySizes) {
  const NewCache cache;
  setenv("HEDDLE_BACKGROUND", "0", 1);
  setenv("HEDDLE_ROWS", "1", 1); // nothing begins without optimizations
  expect_child_passes("UsesEachSize");
  unsetenv("HEDDLE_ROWS");
  unsetenv("HEDDLE_BACKGROUND");
  EXPECT_EQ(cache.units(), 3);
}

// And the generic one.
TEST(LocalSizeUnits, AreBuiltForManySizes) {
  const NewCache cache;
  setenv("HEDDLE_VARIANTS", "each", 1);
  expect_child_passes("UsesEachSize");
  unsetenv("HEDDLE_VARIANTS");
  EXPECT_EQ(cache.units(), int{std::size(kSizes)} + 1);
}

// The generic unit of a kernel that requires a local size is for smaller groups, too.
TEST(LocalSizeUnits, AreBuiltForRequiredSizes) {
  const NewCache cache;
  setenv("HEDDLE_VARIANTS", "each", 1);
  expect_child_passes("UsesItsRequiredSize");
  unsetenv("HEDDLE_VARIANTS");
  EXPECT_EQ(cache.units(), 2);
}

TEST(LocalSizeUnits, AreNotForLargerIds) {
  for (const char* setting : {"each", "auto"}) {
    setenv("HEDDLE_VARIANTS", setting, 1);
    expect_child_passes("NarrowsLargeIds");
    unsetenv("HEDDLE_VARIANTS");
  }
}

TEST(LocalSizeUnits, ExitDuringBuilds) {
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < 3; ++round)
    expect_child_passes("LeavesDuringBuilds");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(40));
}

class LocalSizeUnitsTest : public ApiTest {};

TEST_F(LocalSizeUnitsTest, ReleasedDuringBuilds) {
  for (int round = 0; round < 3; ++round) {
    const auto program = build(context_, new_source(1 + round), kOptions);
    begin_builds(context_, queue_, make_kernel(program, "product"));
  }
  const auto program = build(context_, kSource, kOptions);
  const auto kernel = make_kernel(program, "sizes");
  EXPECT_EQ(results(context_, queue_, kernel, {8, 8}, 192)[0], cl_uint{8 << 20 | 8 << 10 | 8});
}

TEST_F(LocalSizeUnitsTest, ForkDuringBuilds) {
  const auto program = build(context_, new_source(7), kOptions);
  const auto kernel = make_kernel(program, "product");
  const auto expected = results(context_, queue_, kernel, {8, 8}, 192, true);
  begin_builds(context_, queue_, kernel);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    const auto context = make_context();
    const auto queue = make_queue(context);
    const auto own = build(context, new_source(7), kOptions);
    const auto same = make_kernel(own, "product");
    begin_builds(context, queue, same);
    EXPECT_EQ(results(context, queue, same, {8, 8}, 192, true), expected);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  begin_builds(context_, queue_, kernel);
  EXPECT_EQ(results(context_, queue_, kernel, {8, 8}, 192, true), expected);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

} // namespace
} // namespace heddle::test
