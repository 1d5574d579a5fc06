// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Build logs, options, macros and headers.
#include "tests/compiler/kernel_runner.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace heddle::test {
namespace {

using testing::AssertionResult;

AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no '" << part << "' in: " << text;
}

TEST(BuildLog, HasClangsDiagnostics) {
  const auto built = build({"kernel void k(global int* a) {\n  a[0] = b;\n}\n"});
  EXPECT_EQ(built.status, HEDDLE_BUILD_FAILURE);
  EXPECT_TRUE(contains(built.log, "program.cl:2:10: error: use of undeclared identifier 'b'"));
  EXPECT_TRUE(contains(built.log, "    2 |   a[0] = b;"));
  EXPECT_EQ(built.log.find('\033'), std::string::npos);
}

TEST(BuildLog, WarningsAndTheirOptions) {
  EXPECT_TRUE(contains(build({"#warning hello\nkernel void k() {}"}).log, "warning: hello"));
  EXPECT_EQ(build({"#warning hello\nkernel void k() {}", {"-w"}}).log, "");
  EXPECT_FALSE(build({"#warning hello\nkernel void k() {}", {"-Werror"}}).ok());
}

// Errors in C since Clang 16 and 22; OpenCL programs expect a warning.
TEST(BuildLog, MixedPointersAreAWarning) {
  const char* source = "kernel void k(global float* a) { global float4* b = a; b[0] = 1; }";
  const auto built = build({source});
  EXPECT_TRUE(built.ok()) << built.log;
  EXPECT_TRUE(contains(built.log, "warning: incompatible pointer types"));
  EXPECT_FALSE(build({source, {"-Werror"}}).ok());
}

TEST(BuildLog, NamesUndefinedFunctions) {
  const auto built = build({"int elsewhere(int);\nint f(int x) { return elsewhere(x); }\n"
                            "kernel void k(global int* a) { a[0] = f(1); }"});
  EXPECT_EQ(built.status, HEDDLE_BUILD_FAILURE);
  EXPECT_TRUE(contains(built.log, "undefined function 'elsewhere' called from 'f'"));
}

TEST(BuildOptions, DefinitionsCanBeRemoved) {
  const char* source = "#ifdef NAME\n#error defined\n#endif\nkernel void k() {}";
  EXPECT_FALSE(build({source, {"-DNAME"}}).ok());
  EXPECT_TRUE(build({source, {"-DNAME", "-UNAME"}}).ok());
  EXPECT_FALSE(build({source, {"-UNAME", "-DNAME"}}).ok());
}

TEST(BuildOptions, DefinitionsAndStandards) {
  for (const char* standard : {"", "CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0"}) {
    std::vector<std::string> options = {"-DVALUE=7", "-D", "OTHER"};
    if (*standard != '\0')
      options.push_back(std::string("-cl-std=") + standard);
    const auto built = build({R"(
#if VALUE != 7 || OTHER != 1 || __OPENCL_VERSION__ != 310 || !__ENDIAN_LITTLE__
#error macros
#endif
#if defined(__SPIR__) || defined(__SPIRV__) || defined(__IMAGE_SUPPORT__) || defined(__x86_64__)
#error wrong macros
#endif
#if !defined(cl_khr_fp64) || defined(cl_khr_fp16) || defined(cl_khr_subgroups)
#error extensions
#endif
kernel void k(global float* a) { a[0] = CL_VERSION_1_1; })",
                              options});
    EXPECT_TRUE(built.ok()) << standard << ": " << built.log;
  }
  EXPECT_FALSE(build({"kernel void k() {}", {"-cl-std=CL9.9"}}).ok());
  const auto version =
      build({"int v[__OPENCL_C_VERSION__ == 120 ? 1 : -1]; kernel void k() {}", {"-cl-std=CL1.2"}});
  EXPECT_FALSE(version.ok()); // program-scope variables are not in OpenCL C 1.2
  EXPECT_TRUE(build({"kernel void k() { int v[__OPENCL_C_VERSION__ == 120 ? 1 : -1]; }"}).ok());
}

// Extensions that Clang does not know: available like any other, and absent for a device without
// them.
TEST(BuildOptions, ExtensionsThatClangDoesNotKnow) {
  const char* source = R"(
#pragma OPENCL EXTENSION cl_khr_extended_async_copies : enable
#pragma OPENCL EXTENSION cl_khr_async_work_group_copy_fence : enable
#if cl_khr_extended_async_copies != 1 || cl_khr_async_work_group_copy_fence != 1
#error macros
#endif
kernel void k(global int* a, local int* b) {
  event_t e = async_work_group_copy_2D2D(b, 0, a, 0, 4, 4, 4, 8, 4, 0);
  async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy_3D3D(a, 0, b, 0, 4, 2, 2, 2, 2, 4, 4, 16, e);
  wait_group_events(1, &e);
})";
  for (const char* standard : {"-cl-std=CL1.2", "-cl-std=CL3.0"}) {
    const auto built = build({source, {standard, "-Werror"}});
    EXPECT_TRUE(built.ok()) << built.log;
  }
  // Other names are unknown, also on adjacent lines.
  for (const char* order : {"#pragma OPENCL EXTENSION made_up : enable\n%",
                            "%#pragma OPENCL EXTENSION made_up : enable\n"}) {
    std::string text = order;
    text.replace(text.find('%'), 1,
                 "#pragma OPENCL EXTENSION cl_khr_extended_async_copies : enable\n");
    text += "kernel void k() {}";
    EXPECT_FALSE(build({text, {"-Werror"}}).ok()) << text;
    const auto warned = build({text});
    EXPECT_TRUE(warned.ok()) << warned.log;
    EXPECT_NE(warned.log.find("'made_up' unknown"), std::string::npos) << warned.log;
    EXPECT_EQ(warned.log.find("'cl_khr"), std::string::npos) << warned.log;
  }
  BuildInput without{"kernel void k(global int* a) { async_work_group_copy_fence(0); }"};
  without.extensions = "__opencl_c_int64";
  EXPECT_FALSE(build(without).ok());
}

TEST(BuildOptions, EveryMathOptionBuilds) {
  for (const char* option :
       {"-cl-fast-relaxed-math", "-cl-mad-enable", "-cl-finite-math-only",
        "-cl-unsafe-math-optimizations", "-cl-no-signed-zeros", "-cl-denorms-are-zero",
        "-cl-single-precision-constant", "-cl-opt-disable",
        "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-uniform-work-group-size", "-g"}) {
    std::vector<std::string> options = {option};
    if (std::string(option) == "-cl-uniform-work-group-size")
      options.push_back("-cl-std=CL2.0");
    const auto built = build(
        {"kernel void k(global float* a) { a[0] = a[1] / a[2] + clamp(a[3], a[4], a[5]) * 0.5; }",
         options});
    EXPECT_TRUE(built.ok()) << option << ": " << built.log;
    EXPECT_EQ(built.log, "") << option;
  }
}

TEST(BuildHeaders, FromMemoryAndFromDisk) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("heddle headers " + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "disk.h") << "#define DISK 2\n";
  BuildInput input{"#include \"a/memory.h\"\n#include <disk.h>\n"
                   "kernel void k(global int* a) { a[0] = MEMORY + DISK; }",
                   {"-I" + folder.string()}};
  input.headers = {{"a/memory.h", "#define MEMORY 1\n"}};
  auto built = build(input);
  EXPECT_TRUE(built.ok()) << built.log;
  EXPECT_EQ(built.dependencies, std::vector<std::string>{(folder / "disk.h").string()});

  input.options = {"-I."};
  input.working_directory = folder.string();
  built = build(input);
  EXPECT_TRUE(built.ok()) << built.log;
  ASSERT_EQ(built.dependencies.size(), 1U);
  EXPECT_TRUE(std::filesystem::path(built.dependencies[0]).is_absolute());

  input.options = {};
  input.source = "#include <nowhere.h>\n";
  EXPECT_TRUE(contains(build(input).log, "'nowhere.h' file not found"));
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace heddle::test
