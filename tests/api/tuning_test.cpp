// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_TUNE: variants that run side by side in one launch give the results of each, and what was
// found is kept. Child processes run the kernels, because the driver reads the environment once.
#include "tests/api/api_test.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

// A chain that is faster in vectors, though the compiler keeps to those of the program where
// accesses are volatile; rows that can be interleaved; barriers with local memory; copies that are
// not made; visible sub-groups.
constexpr const char* kSource = R"(
  kernel void chain(volatile global float8* values, int n) {
    size_t at = get_global_linear_id();
    float8 value = values[at];
    for (int k = 0; k < n; ++k)
      value = value * 0.99f + 0.5f;
    values[at] = value;
  }
  kernel void product(global float* out, global const float* in, int n) {
    int x = get_global_id(0), y = get_global_id(1), side = get_global_size(0);
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += in[y * side + k] * in[k * side + x];
    out[y * side + x] = s;
  }
  kernel void columns(global float* out, global const float* in, int n) {
    int x = get_global_id(0), y = get_global_id(1), side = get_global_size(1);
    float s = get_local_id(0) * 3 + get_group_id(1) * 5 + get_num_groups(0) + get_local_size(1);
    for (int k = 0; k < n; ++k)
      s = s * 0.5f + in[((x + k) % side) * side + y] - get_global_linear_id() * 0.1f;
    out[x * side + y] = s + get_local_linear_id();
  }
  kernel void sums(global float* out, global const float* in, local float* part, int n) {
    local float tile[256];
    size_t id = get_local_linear_id(), items = get_local_size(0) * get_local_size(1);
    size_t at = get_global_linear_id();
    part[id] = in[at];
    for (int k = 0; k < n; ++k) {
      barrier(CLK_LOCAL_MEM_FENCE);
      tile[id] = part[(id + 1) % items] * 0.5f + part[(id * 7 + 3) % items];
      barrier(CLK_LOCAL_MEM_FENCE);
      part[id] = tile[items - 1 - id];
    }
    out[at] = part[id] + tile[id];
  }
  kernel void copies(global float* out, global const float* in, int n) {
    local float tile[256];
    size_t items = get_local_size(0) * get_local_size(1);
    size_t group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
    wait_group_events(1, (event_t[]){async_work_group_copy(tile, in + group * items, items, 0)});
    float s = 0;
    for (int k = 0; k < n; ++k)
      s = s * 0.5f + tile[(get_local_linear_id() + k) % items];
    out[get_global_linear_id()] = s;
  }
  kernel __attribute__((reqd_work_group_size(16, 4, 1)))
  void fixed(global float* out, global const float* in, int n) {
    size_t at = get_global_linear_id();
    float s = in[at];
    for (int k = 0; k < n; ++k)
      s = s * s - 0.7f;
    out[at] = s;
  }
  kernel void sub_groups(global float* out, global const float* in, int n) {
    size_t at = get_global_linear_id();
    float s = in[at];
    for (int k = 0; k < n; ++k)
      s = sub_group_reduce_add(s) * 0.01f + get_sub_group_local_id();
    out[at] = s;
  })";
// Long code if the compiler may keep local memory in registers.
constexpr const char* kSort = R"(
  kernel void sort(global uint* out, global const uint* in) {
    local uint s[256];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 2; k <= 256; k <<= 1)
      for (int j = k >> 1; j > 0; j >>= 1) {
        int other = l ^ j;
        if (other > l && (s[l] > s[other]) == ((l & k) == 0)) {
          uint t = s[l];
          s[l] = s[other];
          s[other] = t;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    out[get_global_id(0)] = s[l];
  })";
constexpr const char* kOptions = "-cl-std=CL3.0";
constexpr size_t kSide = 256;
constexpr const char* kKernels[] = {"chain",  "product", "columns",   "sums",
                                    "copies", "fixed",   "sub_groups"};

// The results of several launches, which must be those of the first one.
std::vector<cl_uint> results(cl_context context, cl_command_queue queue, cl_program program,
                             const std::string& name, int launches) {
  const auto kernel = make_kernel(program, name.c_str());
  std::vector<float> values(kSide * kSide);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i * 7919 % 1000) / 999.0f - 0.5f;
  std::vector<cl_uint> expected;
  const auto in = make_buffer(context, values.size() * 4, values.data());
  for (int i = 0; i < launches; ++i) {
    const auto out = make_buffer(context, values.size() * 4, values.data());
    Range range{{kSide, kSide}, {16, 4}, {}};
    if (name == "chain") {
      const char* size = std::getenv("HEDDLE_TEST_LOCAL_SIZE");
      set_args(kernel, out, cl_int{100});
      range = {{kSide * kSide / 8}, {size != nullptr ? std::stoul(size) : 64}, {}};
    } else if (name == "sums") {
      set_args(kernel, out, in, Local{256 * 4}, cl_int{3});
    } else {
      set_args(kernel, out, in, cl_int{64});
    }
    run(queue, kernel, range);
    auto found = read<cl_uint>(queue, out, values.size());
    if (i == 0)
      expected = std::move(found);
    else if (found != expected) {
      ADD_FAILURE() << name << ": launch " << i << " differs";
      break;
    }
  }
  return expected;
}

std::size_t digest_of_all(int launches) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, kSource, kOptions);
  std::string all;
  for (const auto* name : kKernels) {
    const auto values = results(context, queue, program, name, launches);
    all.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
  }
  return std::hash<std::string>()(all);
}

TEST(TuningChild, DISABLED_HasTheResults) {
  alarm(280);
  dup2(STDOUT_FILENO, STDERR_FILENO); // what HEDDLE_TUNE_LOG prints
  EXPECT_EQ(std::to_string(digest_of_all(250)), std::getenv("HEDDLE_TEST_DIGEST"));
}

TEST(TuningChild, DISABLED_RunsTheChain) {
  alarm(100);
  dup2(STDOUT_FILENO, STDERR_FILENO);
  const auto context = make_context();
  const auto queue = make_queue(context);
  const char* before = std::getenv("HEDDLE_TEST_BEFORE"); // the text of the other kernels
  const auto source = (before != nullptr ? before : "") + std::string(kSource);
  const auto program = build(context, source.c_str(), kOptions);
  results(context, queue, program, "chain", 200);
}

TEST(TuningChild, DISABLED_Sorts) {
  alarm(280);
  dup2(STDOUT_FILENO, STDERR_FILENO);
  constexpr size_t kItems = 64 * 256;
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto kernel = make_kernel(build(context, kSort), "sort");
  std::vector<cl_uint> values(kItems);
  for (size_t i = 0; i < kItems; ++i)
    values[i] = static_cast<cl_uint>(i * 2654435761U);
  const auto in = make_buffer(context, kItems * 4, values.data());
  for (size_t group = 0; group < kItems; group += 256)
    std::sort(values.begin() + group, values.begin() + group + 256);
  const auto out = make_buffer(context, kItems * 4);
  set_args(kernel, out, in);
  for (int i = 0; i < 40; ++i) {
    run(queue, kernel, {{kItems}, {256}, {}});
    ASSERT_EQ(read<cl_uint>(queue, out, kItems), values) << "launch " << i;
  }
}

int count(const fs::path& folder, const char* extension) {
  int number = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    number += entry.path().extension() == extension;
  return number;
}

class TuningTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "heddle-tuning-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    set("HEDDLE_CACHE_DIR", folder_.c_str());
    set("HEDDLE_TUNE_LOG", "1");
    set("HEDDLE_VARIANTS", "each");
    set("HEDDLE_PLAIN_AFTER", "100000"); // units are counted
  }
  void TearDown() override {
    for (const auto& [name, value] : before_)
      value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
    fs::remove_all(folder_);
  }
  void set(const char* name, const std::string& value) {
    const char* known = std::getenv(name);
    before_.emplace_back(name, known ? std::optional<std::string>(known) : std::nullopt);
    setenv(name, value.c_str(), 1);
  }
  // What the child printed.
  static std::string run_child(const char* name) {
    const auto result = run_self({std::string("--gtest_filter=TuningChild.DISABLED_") + name,
                                  "--gtest_also_run_disabled_tests"});
    EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) << result.output;
    return result.output;
  }

  fs::path folder_;
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

TEST_F(TuningTest, AllVariantsGiveTheSameResults) {
  set("HEDDLE_TEST_DIGEST", std::to_string(digest_of_all(1)));
  set("HEDDLE_TUNE", "full");
  const auto log = run_child("HasTheResults");
  for (const char* kernel : {"chain", "product", "columns", "sums", "copies", "fixed"})
    EXPECT_NE(log.find(std::string("'") + kernel + "' in groups of"), log.npos) << log;
  EXPECT_EQ(log.find("'sub_groups'"), log.npos) << "its sub-group size must not change";
}

TEST_F(TuningTest, IsKept) {
  set("HEDDLE_TUNE", "full");
  const auto log = run_child("RunsTheChain");
  EXPECT_NE(log.find("taken"), log.npos) << log;
  EXPECT_EQ(count(folder_, ".search"), 1);
  const auto units = count(folder_, ".so");
  EXPECT_GT(units, 3) << log;
  // The next process begins with the best variant, and has nothing to compare.
  set("HEDDLE_TUNE", "on");
  const auto second = run_child("RunsTheChain");
  EXPECT_EQ(second.find("of the time of"), second.npos) << second;
  EXPECT_EQ(count(folder_, ".so"), units);
}

TEST_F(TuningTest, IsTheFirstGuessForOtherSizes) {
  set("HEDDLE_TUNE", "full");
  constexpr const char* kOfScalarCode = "of the time of 1 lanes";
  const auto log = run_child("RunsTheChain");
  EXPECT_NE(log.find(kOfScalarCode), log.npos) << log;
  set("HEDDLE_TEST_LOCAL_SIZE", "128");
  const auto second = run_child("RunsTheChain");
  EXPECT_NE(second.find("of the time of"), second.npos) << second;
  EXPECT_EQ(second.find(kOfScalarCode), second.npos) << second;
  EXPECT_EQ(count(folder_, ".search"), 2);
}

TEST_F(TuningTest, LongCodeIsBuiltSecondAndKept) {
  set("HEDDLE_VARIANTS", "auto");
  set("HEDDLE_TUNE", "full");
  const auto log = run_child("Sorts");
  EXPECT_NE(log.find("long code: "), log.npos) << log;
  EXPECT_NE(log.find(", long code"), log.npos) << log;
  run_child("Sorts"); // begins where the first one ended
}

TEST_F(TuningTest, IsForTheSameKernelInOtherPrograms) {
  set("HEDDLE_TUNE", "full");
  run_child("RunsTheChain");
  set("HEDDLE_TUNE", "on");
  set("HEDDLE_TEST_BEFORE",
      "float half_of(float x) { return x / 2; }"
      "kernel void other(global float* x) { x[get_global_id(0)] = half_of(1); }");
  const auto same = run_child("RunsTheChain");
  EXPECT_EQ(same.find("of the time of"), same.npos) << same;
  EXPECT_EQ(count(folder_, ".search"), 1);
  // Another kernel of the same name.
  set("HEDDLE_TUNE", "full");
  set("HEDDLE_TEST_BEFORE", "#define int uint\n");
  const auto another = run_child("RunsTheChain");
  EXPECT_NE(another.find("of the time of"), another.npos) << another;
}

TEST_F(TuningTest, ADamagedFileIsIgnored) {
  set("HEDDLE_TUNE", "full");
  run_child("RunsTheChain");
  for (const auto& entry : fs::recursive_directory_iterator(folder_))
    if (entry.path().extension() == ".search")
      fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
  const auto log = run_child("RunsTheChain");
  EXPECT_NE(log.find("of the time of"), log.npos) << log;
}

TEST_F(TuningTest, CanBeOff) {
  set("HEDDLE_TUNE", "off");
  EXPECT_EQ(run_child("RunsTheChain").find("of the time of"), std::string::npos);
  EXPECT_EQ(count(folder_, ".search"), 0);
  EXPECT_EQ(count(folder_, ".so"), 2); // generic, and of the local size
}

TEST_F(TuningTest, KeepsRequestedWidths) {
  set("HEDDLE_TUNE", "full");
  set("HEDDLE_WIDTH", "4");
  EXPECT_EQ(run_child("RunsTheChain").find("of the time of"), std::string::npos);
}

} // namespace
} // namespace heddle::test
