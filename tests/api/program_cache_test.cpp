// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds with a damaged, full or concurrently used cache succeed.
#include "tests/api/api_test.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <tuple>
#include <unistd.h>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = "kernel void k(global int* out) { out[get_global_id(0)] = VALUE; }";

int value_of(cl_context context, cl_program program) {
  const auto queue = make_queue(context);
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context, 4 * sizeof(cl_int));
  set_args(kernel, out);
  run(queue, kernel, {{4}, {}, {}});
  return read<cl_int>(queue, out, 4)[3];
}

int build_and_run(const std::string& options) {
  const auto context = make_context();
  const auto program = build(context, kSource, options.c_str());
  return value_of(context, program);
}

// The tests below run this in a child process, because the driver reads the environment once.
TEST(CacheChild, DISABLED_BuildTwice) {
  EXPECT_EQ(build_and_run("-DVALUE=7"), 7);
  EXPECT_EQ(build_and_run("-DVALUE=7"), 7);
  EXPECT_EQ(build_and_run("-DVALUE=8"), 8);
}

// With such a file size limit a kernel can be stored neither on disk nor in a memory file. It
// cannot be run, and the limit's signal does not end the process.
TEST(CacheChild, DISABLED_FileSizeLimit) {
  const rlimit limits{1000, 1000};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limits), 0);
  std::string message;
  const auto context = make_context([](const char* text, const void*, size_t,
                                       void* into) { *static_cast<std::string*>(into) += text; },
                                    &message);
  const auto queue = make_queue(context);
  const auto program = build(context, kSource, "-DVALUE=7");
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context, 4 * sizeof(cl_int));
  set_args(kernel, out);
  EXPECT_EQ(enqueue(queue, kernel, {{4}, {}, {}}), CL_OUT_OF_RESOURCES);
  EXPECT_NE(message.find("'k' cannot be built"), std::string::npos) << message;
}

class Variables {
 public:
  void set(const char* name, const char* value) {
    const char* before = std::getenv(name);
    saved_.emplace_back(name, before ? before : "", before != nullptr);
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variables() {
    for (auto entry = saved_.rbegin(); entry != saved_.rend(); ++entry) {
      const auto& [name, value, was_set] = *entry;
      was_set ? setenv(name.c_str(), value.c_str(), 1) : unsetenv(name.c_str());
    }
  }

 private:
  std::vector<std::tuple<std::string, std::string, bool>> saved_;
};

class CacheTest : public testing::Test {
 protected:
  CacheTest() {
    std::string name = (fs::temp_directory_path() / "heddle-program-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~CacheTest() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  void expect_child_builds() { expect_child("BuildTwice"); }
  void expect_child(const std::string& test) {
    const auto result =
        run_self({"--gtest_filter=CacheChild.DISABLED_" + test, "--gtest_also_run_disabled_tests"});
    EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) << result.output;
  }
  std::size_t entries() const {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      count += entry.path().extension() == ".so";
    return count;
  }

  fs::path folder_;
  Variables variables_;
};

TEST_F(CacheTest, Used) {
  variables_.set("HEDDLE_CACHE_DIR", folder_.c_str());
  expect_child_builds();
  EXPECT_EQ(entries(), 2u);
  expect_child_builds();
  EXPECT_EQ(entries(), 2u);
}

TEST_F(CacheTest, Off) {
  variables_.set("HEDDLE_CACHE_DIR", folder_.c_str());
  variables_.set("HEDDLE_CACHE", "0");
  expect_child_builds();
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(CacheTest, XdgAndHome) {
  variables_.set("HEDDLE_CACHE_DIR", nullptr);
  variables_.set("XDG_CACHE_HOME", (folder_ / "xdg").c_str());
  expect_child_builds();
  EXPECT_TRUE(fs::exists(folder_ / "xdg" / "heddle"));
  variables_.set("XDG_CACHE_HOME", nullptr);
  variables_.set("HOME", (folder_ / "home").c_str());
  expect_child_builds();
  EXPECT_TRUE(fs::exists(folder_ / "home" / ".cache" / "heddle"));
}

TEST_F(CacheTest, HomeThatCannotBeWritten) {
  variables_.set("HEDDLE_CACHE_DIR", nullptr);
  variables_.set("XDG_CACHE_HOME", nullptr);
  for (const char* home : {"/proc/nobody", "/dev/null", "relative"}) {
    variables_.set("HOME", home);
    expect_child_builds();
  }
  variables_.set("HEDDLE_CACHE_DIR", "/proc/nobody/cache");
  expect_child_builds();
}

TEST_F(CacheTest, FileSizeLimit) {
  variables_.set("HEDDLE_CACHE_DIR", folder_.c_str());
  expect_child("FileSizeLimit");
}

// Each entry is damaged; the child's build succeeds and restores the entry.
TEST_F(CacheTest, Damaged) {
  variables_.set("HEDDLE_CACHE_DIR", folder_.c_str());
  expect_child_builds();
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder_))
    if (entry.path().extension() == ".so")
      files.push_back(entry.path());
  ASSERT_EQ(files.size(), 2u);
  const auto whole = fs::file_size(files[0]);
  fs::resize_file(files[0], whole / 2);
  fs::resize_file(files[1], 0);
  expect_child_builds();
  EXPECT_EQ(fs::file_size(files[0]), whole);
  EXPECT_GT(fs::file_size(files[1]), 0u);
}

TEST_F(CacheTest, ManyProcessesAtOnce) {
  variables_.set("HEDDLE_CACHE_DIR", folder_.c_str());
  variables_.set("HEDDLE_BACKGROUND", "0"); // or a generic unit may be begun on a busy machine
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { expect_child_builds(); });
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(entries(), 2u);
}

// A header that changes between two builds of one process, while the first program is in use.
TEST_F(CacheTest, ChangedHeader) {
  const auto context = make_context();
  const auto options = "-I \"" + folder_.string() + "\"";
  std::vector<Program> programs;
  for (const int value : {1, 2, 1, 3}) {
    std::ofstream(folder_ / "value.h") << "#define VALUE " << value << "\n";
    programs.push_back(
        build(context, std::string("#include \"value.h\"\n") + kSource, options.c_str()));
    EXPECT_EQ(value_of(context, programs.back()), value);
    // Old enough that the cache trusts its timestamp.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const auto again =
        build(context, std::string("#include \"value.h\"\n") + kSource, options.c_str());
    EXPECT_EQ(value_of(context, again), value);
  }
  EXPECT_EQ(value_of(context, programs[1]), 2);
}

// The same #include refers to another file in another folder.
TEST_F(CacheTest, RelativeInclude) {
  const auto before = fs::current_path();
  const auto context = make_context();
  for (const int value : {1, 2, 1}) {
    const auto folder = folder_ / std::to_string(value);
    fs::create_directories(folder);
    std::ofstream(folder / "value.h") << "#define VALUE " << value << "\n";
    fs::current_path(folder);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const auto program = build(context, std::string("#include \"value.h\"\n") + kSource);
    fs::current_path(before);
    EXPECT_EQ(value_of(context, program), value);
  }
}

} // namespace
} // namespace heddle::test
