// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs: sources, building, logs, options, separate compilation and linking, binaries.
#include "harness.h"

#include <algorithm>
#include <cstring>

using namespace conformance;

namespace {

class Programs : public DeviceTest {
 protected:
  template <class T>
  T build_info(cl_program program, cl_program_build_info name) {
    T value{};
    EXPECT_CL(clGetProgramBuildInfo(program, device, name, sizeof value, &value, nullptr));
    return value;
  }
  cl_int result_of(cl_program program, const char* kernel_name, const char* what) {
    SCOPED_TRACE(what);
    Kernel kernel = make_kernel(program, kernel_name);
    Memory out = make_buffer(std::vector<cl_int>(1, -1));
    set_arguments(kernel, out);
    run(kernel, {1});
    return read<cl_int>(out, 1)[0];
  }
  cl_int result_with(const std::string& expression, const char* options,
                     const std::string& before = "") {
    Program program = build(
        before + "\nkernel void k(global int* out) { *out = (" + expression + "); }", options);
    return result_of(program, "k", options);
  }
  Program compile(const std::string& source,
                  const std::vector<std::pair<cl_program, const char*>>& headers = {},
                  const char* options = "") {
    Program program = make_program(source);
    std::vector<cl_program> programs;
    std::vector<const char*> names;
    for (auto [header, name] : headers) {
      programs.push_back(header);
      names.push_back(name);
    }
    EXPECT_CL(clCompileProgram(program, 1, &device, options, cl_uint(headers.size()),
                               headers.empty() ? nullptr : programs.data(),
                               headers.empty() ? nullptr : names.data(), nullptr, nullptr))
        << build_log(program);
    return program;
  }
  Program link(const std::vector<cl_program>& inputs, const char* options = "") {
    cl_int error = CL_SUCCESS;
    Program program(clLinkProgram(context, 1, &device, options, cl_uint(inputs.size()),
                                  inputs.data(), nullptr, nullptr, &error));
    EXPECT_CL(error);
    return program;
  }
};

TEST_F(Programs, SourceIsTheStringsTogether) {
  SPEC("API, Creating Program Objects: clCreateProgramWithSource");
  const char* parts[] = {"kernel void k(global int* out) {XXX", " *out = 42; ", "}YYY"};
  const size_t lengths[] = {32, 0, 1};
  cl_int error = CL_SUCCESS;
  Program program(clCreateProgramWithSource(context, 3, parts, lengths, &error));
  ASSERT_CL(error);
  EXPECT_EQ(info_string(clGetProgramInfo, program.get(), CL_PROGRAM_SOURCE),
            "kernel void k(global int* out) { *out = 42; }");
  EXPECT_EQ(build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_NONE);
  ASSERT_CL(clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr));
  EXPECT_EQ(build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_SUCCESS);
  EXPECT_EQ(result_of(program, "k", "three parts"), 42);
  EXPECT_EQ(clCreateProgramWithSource(context, 0, parts, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  const char* with_null[] = {"kernel void k() {}", nullptr};
  EXPECT_EQ(clCreateProgramWithSource(context, 2, with_null, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

TEST_F(Programs, Queries) {
  SPEC("API, Program Object Queries: clGetProgramInfo");
  Program program = build("kernel void one(global int* a) {} kernel void two(float f) {}");
  EXPECT_EQ(info<cl_context>(clGetProgramInfo, program.get(), CL_PROGRAM_CONTEXT), context.get());
  EXPECT_EQ(info<cl_uint>(clGetProgramInfo, program.get(), CL_PROGRAM_NUM_DEVICES), 1u);
  EXPECT_EQ(info_array<cl_device_id>(clGetProgramInfo, program.get(), CL_PROGRAM_DEVICES),
            std::vector<cl_device_id>{device});
  EXPECT_EQ(info<size_t>(clGetProgramInfo, program.get(), CL_PROGRAM_NUM_KERNELS), 2u);
  const std::string names = info_string(clGetProgramInfo, program.get(), CL_PROGRAM_KERNEL_NAMES);
  EXPECT_TRUE(names == "one;two" || names == "two;one") << names;
  EXPECT_EQ(build_info<cl_program_binary_type>(program, CL_PROGRAM_BINARY_TYPE),
            cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE));
  Program unbuilt = make_program("kernel void k() {}");
  size_t count = 0;
  EXPECT_EQ(clGetProgramInfo(unbuilt, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr),
            CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(Programs, OptionsAreKeptAndUsed) {
  SPEC("API, Compiler Options: preprocessor options; CL_PROGRAM_BUILD_OPTIONS");
  EXPECT_EQ(result_with("VALUE", "-DVALUE=17"), 17);
  EXPECT_EQ(result_with("VALUE", "-D VALUE=18"), 18);
  EXPECT_EQ(result_with("VALUE + 5", "-D VALUE"), 6);
  EXPECT_EQ(result_with("VALUE", "  -D  VALUE=19   -cl-mad-enable -w "), 19);
  Program program = build("kernel void k() {}", "-DX=1 -cl-no-signed-zeros");
  size_t size = 0;
  ASSERT_CL(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, 0, nullptr, &size));
  std::string options(size, '\0');
  ASSERT_CL(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, size, options.data(),
                                  nullptr));
  EXPECT_STREQ(options.c_str(), "-DX=1 -cl-no-signed-zeros");
}

TEST_F(Programs, EveryStandardOptionIsTaken) {
  SPEC("API, Compiler Options: math intrinsics, optimization, warnings, debugging and argument "
       "information");
  for (const char* option :
       {"-cl-single-precision-constant", "-cl-denorms-are-zero", "-cl-opt-disable",
        "-cl-mad-enable", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations",
        "-cl-finite-math-only", "-cl-fast-relaxed-math", "-w", "-cl-kernel-arg-info",
        "-cl-std=CL1.1", "-cl-std=CL1.2"})
    EXPECT_EQ(result_with("6 * 7", option), 42) << option;
  Program program = make_program("kernel void k() {}");
  EXPECT_EQ(clBuildProgram(program, 1, &device, "-cl-no-such-option", nullptr, nullptr),
            CL_INVALID_BUILD_OPTIONS);
  Program strict = make_program(
      "kernel void k(global int* a) { int unused_variable_here; *a; }\n#warning careful");
  EXPECT_EQ(clBuildProgram(strict, 1, &device, "-Werror", nullptr, nullptr),
            CL_BUILD_PROGRAM_FAILURE);
}

TEST_F(Programs, LanguageVersion) {
  SPEC("C, Preprocessor Directives and Macros: __OPENCL_C_VERSION__; API, Options Controlling the "
       "OpenCL C Version");
  EXPECT_EQ(result_with("__OPENCL_C_VERSION__", "-cl-std=CL1.1"), 110);
  EXPECT_EQ(result_with("__OPENCL_C_VERSION__", "-cl-std=CL1.2"), 120);
  EXPECT_EQ(result_with("__OPENCL_C_VERSION__", ""), 120) << "1.2 unless -cl-std says otherwise";
  if (version >= 300) {
    EXPECT_EQ(result_with("__OPENCL_C_VERSION__", "-cl-std=CL3.0"), 300);
  }
  EXPECT_EQ(result_with("__OPENCL_VERSION__", ""), version);
  EXPECT_EQ(result_with("__ENDIAN_LITTLE__", ""), 1);
  EXPECT_EQ(result_with("__LINE__ * 0 + CL_VERSION_1_2", ""), 120);
}

TEST_F(Programs, FailuresLeaveALog) {
  SPEC("API, Building Program Executables: CL_BUILD_PROGRAM_FAILURE; CL_PROGRAM_BUILD_LOG");
  Program program = make_program("kernel void k(global int* a) { *a = no_such_name; }");
  EXPECT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_ERROR);
  EXPECT_NE(build_log(program).find("no_such_name"), std::string::npos);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateKernel(program, "k", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(Programs, BuildErrors) {
  SPEC("API, Building Program Executables: errors of clBuildProgram");
  Program program = make_program("kernel void k() {}");
  int data = 0;
  EXPECT_EQ(clBuildProgram(nullptr, 0, nullptr, "", nullptr, nullptr), CL_INVALID_PROGRAM);
  EXPECT_EQ(clBuildProgram(program, 0, &device, "", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program, 1, nullptr, "", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program, 1, &device, "", nullptr, &data), CL_INVALID_VALUE);
  ASSERT_CL(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  Kernel kernel = make_kernel(program, "k");
  EXPECT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_INVALID_OPERATION)
      << "a kernel is attached";
}

TEST_F(Programs, CompileWithHeadersAndLink) {
  SPEC("API, Separate Compilation and Linking of Programs");
  Program header = make_program("int twice(int x);\n#define BASE 20\n");
  Program nested = make_program("#define MORE 1\n");
  Program library_part = compile("int twice(int x) { return 2 * x; }");
  Program user = compile("#include \"lib/twice.h\"\n#include \"more.h\"\nkernel void k(global int* "
                         "out) { *out = twice(BASE + MORE); }",
                         {{header, "lib/twice.h"}, {nested, "more.h"}});
  EXPECT_EQ(build_info<cl_program_binary_type>(user, CL_PROGRAM_BINARY_TYPE),
            cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT));
  Program executable = link({user, library_part});
  EXPECT_EQ(build_info<cl_program_binary_type>(executable, CL_PROGRAM_BINARY_TYPE),
            cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE));
  EXPECT_EQ(result_of(executable, "k", "objects"), 42);
  Program library = link({library_part}, "-create-library");
  EXPECT_EQ(build_info<cl_program_binary_type>(library, CL_PROGRAM_BINARY_TYPE),
            cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_LIBRARY));
  Program with_library = link({user, library});
  EXPECT_EQ(result_of(with_library, "k", "library"), 42);
}

TEST_F(Programs, CompileAndLinkErrors) {
  SPEC("API, Separate Compilation and Linking of Programs: errors");
  Program bad = make_program("#include \"absent.h\"\n");
  EXPECT_EQ(clCompileProgram(bad, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_COMPILE_PROGRAM_FAILURE);
  EXPECT_FALSE(build_log(bad).empty());
  Program unresolved =
      compile("int missing(int); kernel void k(global int* out) { *out = missing(1); }");
  const cl_program inputs[] = {unresolved};
  cl_int error = CL_SUCCESS;
  Program linked(clLinkProgram(context, 1, &device, "", 1, inputs, nullptr, nullptr, &error));
  EXPECT_EQ(error, CL_LINK_PROGRAM_FAILURE);
  EXPECT_EQ(clLinkProgram(context, 1, &device, "", 0, nullptr, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  const char* name = "x.h";
  EXPECT_EQ(clCompileProgram(unresolved, 1, &device, "", 0, nullptr, &name, nullptr, nullptr),
            CL_INVALID_VALUE);
}

TEST_F(Programs, LinkingNeedsEveryInputCompiled) {
  SPEC("API, Separate Compilation and Linking of Programs: rules for the inputs of clLinkProgram");
  Program compiled = compile("kernel void k(global int* out) { *out = 1; }");
  Program source_only = make_program("int f(int a) { return a; }");
  const cl_program inputs[] = {compiled, source_only};
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clLinkProgram(context, 1, &device, "", 2, inputs, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
}

TEST_F(Programs, BinariesLoadAgain) {
  SPEC("API, Creating Program Objects: clCreateProgramWithBinary; CL_PROGRAM_BINARIES");
  Program program = build("kernel void k(global int* out) { *out = 4711; }");
  const auto sizes = info_array<size_t>(clGetProgramInfo, program.get(), CL_PROGRAM_BINARY_SIZES);
  ASSERT_EQ(sizes.size(), 1u);
  ASSERT_GT(sizes[0], 0u);
  std::vector<unsigned char> binary(sizes[0]);
  unsigned char* place[] = {binary.data()};
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, place, nullptr));
  const unsigned char* bytes[] = {binary.data()};
  cl_int status = CL_SUCCESS, error = CL_SUCCESS;
  Program loaded(
      clCreateProgramWithBinary(context, 1, &device, sizes.data(), bytes, &status, &error));
  ASSERT_CL(error);
  EXPECT_CL(status);
  ASSERT_CL(clBuildProgram(loaded, 1, &device, "", nullptr, nullptr));
  EXPECT_EQ(result_of(loaded, "k", "from a binary"), 4711);
}

TEST_F(Programs, ForeignBinariesAreRefused) {
  SPEC("API, Creating Program Objects: CL_INVALID_BINARY");
  const char text[] = "this is not a program binary, only some text that is long enough to look at";
  const unsigned char* bytes[] = {reinterpret_cast<const unsigned char*>(text)};
  const size_t size = sizeof text;
  cl_int status = CL_SUCCESS, error = CL_SUCCESS;
  Program program(clCreateProgramWithBinary(context, 1, &device, &size, bytes, &status, &error));
  EXPECT_EQ(error, CL_INVALID_BINARY);
  EXPECT_EQ(status, CL_INVALID_BINARY);
  const size_t none = 0;
  EXPECT_EQ(clCreateProgramWithBinary(context, 1, &device, &none, bytes, &status, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

TEST_F(Programs, BuildCallback) {
  SPEC("API, Building Program Executables: pfn_notify is called when the build is done");
  static cl_program heard;
  heard = nullptr;
  Program program = make_program("kernel void k() {}");
  int data = 0;
  ASSERT_CL(clBuildProgram(
      program, 1, &device, "",
      [](cl_program p, void*) { __atomic_store_n(&heard, p, __ATOMIC_SEQ_CST); }, &data));
  for (int i = 0; i < 2000 && !__atomic_load_n(&heard, __ATOMIC_SEQ_CST); ++i) {
    timespec pause = {0, 5'000'000};
    nanosleep(&pause, nullptr);
  }
  EXPECT_EQ(heard, program.get());
  EXPECT_EQ(build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_SUCCESS);
}

TEST_F(Programs, UnloadingTheCompilerIsOnlyAHint) {
  SPEC("API, Unloading the OpenCL Compiler");
  EXPECT_CL(clUnloadPlatformCompiler(Target::get().platform));
  EXPECT_EQ(result_with("3", ""), 3);
}

} // namespace
