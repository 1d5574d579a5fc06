// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_KEEP, HEDDLE_PRINT_AFTER and HEDDLE_PRINT_CHANGED in an application. Child processes run
// with other settings: the driver reads the environment once.
#include "tests/api/api_test.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = "kernel void kept_kernel(global float* x) {\n"
                                "  size_t at = get_global_id(0);\n"
                                "  x[at] = x[at] * 2.0f + 1.0f; // a comment of the source\n"
                                "}\n";

TEST(KeptFilesChild, DISABLED_BuildsAndRuns) {
  alarm(100);
  dup2(STDOUT_FILENO, STDERR_FILENO);
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, kSource);
  const auto kernel = make_kernel(program, "kept_kernel");
  const std::vector<float> values(64, 3.0f);
  const auto buffer = make_buffer(context, values.size() * 4, values.data());
  set_args(kernel, buffer);
  run(queue, kernel, {{64}, {}, {}});
  EXPECT_EQ(read<float>(queue, buffer, 64)[63], 7.0f);
}

class KeptFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "heddle-keep-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  void TearDown() override {
    for (const char* name : {"HEDDLE_KEEP", "HEDDLE_PRINT_AFTER", "HEDDLE_PRINT_CHANGED",
                             "HEDDLE_TIME_PASSES", "HEDDLE_SKIP", "HEDDLE_CACHE_DIR"})
      unsetenv(name);
    fs::remove_all(folder_);
  }
  // What the child printed.
  static std::string run_child() {
    const auto result = run_self({"--gtest_filter=KeptFilesChild.DISABLED_BuildsAndRuns",
                                  "--gtest_also_run_disabled_tests"});
    EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) << result.output;
    return result.output;
  }

  fs::path folder_;
};

TEST_F(KeptFilesTest, OfAProgramAndItsKernel) {
  setenv("HEDDLE_KEEP", folder_.c_str(), 1);
  run_child();
  std::set<std::string> files;
  std::string source, assembly;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    if (entry.is_directory()) {
      EXPECT_EQ(entry.path().filename().string().rfind("kept_kernel-", 0), 0u) << entry.path();
      continue;
    }
    const auto name = entry.path().filename().string();
    files.insert(name);
    std::ifstream file(entry.path());
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (name == "source.cl")
      source = text;
    if (name == "kernels.s")
      assembly = text;
  }
  for (const char* name :
       {"source.cl", "0-frontend.ll", "2-lower.ll", "5-vectorize.ll", "8-optimize.ll", "kernels.s",
        "kernels.o", "kernels.so", "remarks.txt", "remarks.opt.yaml"})
    EXPECT_TRUE(files.contains(name)) << name;
  EXPECT_EQ(source, kSource);
  EXPECT_NE(assembly.find("kept_kernel"), assembly.npos);
}

TEST_F(KeptFilesTest, IRAfterAPass) {
  setenv("HEDDLE_PRINT_AFTER", "canonicalize", 1);
  const auto output = run_child();
  EXPECT_NE(output.find("IR after canonicalize on kept_kernel"), output.npos) << output;
  EXPECT_EQ(output.find("IR after choose-width"), output.npos);
}

// The cache tells kernels that are built without passes from others.
TEST_F(KeptFilesTest, WithoutAPass) {
  const auto is_built = [] { return run_child().find("emit-variants") != std::string::npos; };
  setenv("HEDDLE_CACHE_DIR", folder_.c_str(), 1);
  setenv("HEDDLE_TIME_PASSES", "1", 1);
  EXPECT_TRUE(is_built());
  EXPECT_FALSE(is_built());
  setenv("HEDDLE_SKIP", "merge-components", 1);
  EXPECT_TRUE(is_built());
  EXPECT_FALSE(is_built());
}

TEST_F(KeptFilesTest, IRAfterChanges) {
  setenv("HEDDLE_PRINT_CHANGED", "1", 1);
  EXPECT_NE(run_child().find("IR Dump After"), std::string::npos);
}

} // namespace
} // namespace heddle::test
