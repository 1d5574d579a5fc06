// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs (OpenCL API 5.8): building, options, logs, compiling with headers, linking, binaries.
#include "tests/api/api_test.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace heddle::test {
namespace {

constexpr const char* kSeven = "kernel void k(global int* x) { *x = 7; }";

class ProgramTest : public ApiTest {
 protected:
  cl_int build_status(const std::string& source, const char* options) {
    program_ = make_program(context_, source);
    return clBuildProgram(program_, 0, nullptr, options, nullptr, nullptr);
  }
  cl_int run_one(cl_program program) {
    const auto kernel = make_kernel(program, "k");
    const auto out = make_buffer(context_, 4, std::vector<cl_int>(1).data());
    set_args(kernel, out);
    run(queue_, kernel, {{1}, {}, {}});
    return read<cl_int>(queue_, out, 1)[0];
  }
  cl_build_status status_of(cl_program program) {
    cl_build_status value = -100;
    EXPECT_EQ(clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_STATUS, sizeof value,
                                    &value, nullptr),
              CL_SUCCESS);
    return value;
  }
  std::vector<unsigned char> binary_of(cl_program program) {
    size_t size = 0;
    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr),
          "CL_PROGRAM_BINARY_SIZES");
    std::vector<unsigned char> bytes(size);
    unsigned char* place = bytes.data();
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr),
          "CL_PROGRAM_BINARIES");
    return bytes;
  }
  // The status of the program and of the binary itself must agree.
  cl_int load(const unsigned char* bytes, size_t size, Program* program = nullptr) {
    const auto d = device();
    cl_int status = 1, one = 1;
    Program made(clCreateProgramWithBinary(context_, 1, &d, &size, &bytes, &one, &status));
    EXPECT_EQ(made.get() != nullptr, status == CL_SUCCESS);
    if (program)
      *program = std::move(made);
    return status;
  }
  Program program_;
};

TEST_F(ProgramTest, CreateErrors) {
  cl_int status = 1;
  const char* text = kSeven;
  const char* none = nullptr;
  EXPECT_EQ(clCreateProgramWithSource(context_, 0, &text, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithSource(context_, 1, nullptr, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithSource(context_, 1, &none, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
}

TEST_F(ProgramTest, SourceInPieces) {
  const char* pieces[] = {"kernel void k(glo", "bal int* x) { *x =XXXX", " 7; }"};
  const size_t lengths[] = {0, 18, 0}; // 0: up to the null
  cl_int status = 1;
  Program program(clCreateProgramWithSource(context_, 3, pieces, lengths, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(run_one(program), 7);
  size_t size = 0;
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &size), CL_SUCCESS);
  std::string text(size, '\0');
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, text.data(), nullptr), CL_SUCCESS);
  EXPECT_STREQ(text.c_str(), kSeven);
}

TEST_F(ProgramTest, Info) {
  const auto program = build(context_, kSeven);
  for (const cl_uint name :
       {CL_PROGRAM_REFERENCE_COUNT, CL_PROGRAM_CONTEXT, CL_PROGRAM_NUM_DEVICES, CL_PROGRAM_DEVICES,
        CL_PROGRAM_SOURCE, CL_PROGRAM_BINARY_SIZES, CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES,
        CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT})
    expect_info_contract([&](auto... a) { return clGetProgramInfo(program, a...); }, name);
  EXPECT_EQ(clGetProgramInfo(program, 0x7fff1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
  for (const cl_uint name :
       {CL_PROGRAM_BUILD_STATUS, CL_PROGRAM_BUILD_OPTIONS, CL_PROGRAM_BUILD_LOG,
        CL_PROGRAM_BINARY_TYPE, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE})
    expect_info_contract([&](auto... a) { return clGetProgramBuildInfo(program, device(), a...); },
                         name);
  EXPECT_EQ(clGetProgramBuildInfo(program, device(), 0x7fff1234, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(status_of(program), CL_BUILD_SUCCESS);
  cl_program_binary_type type = 0;
  ASSERT_EQ(
      clGetProgramBuildInfo(program, device(), CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(type, cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
}

// Heddle's option; the second build is a cache hit.
TEST_F(ProgramTest, ExplainsItsKernelsInTheBuildLog) {
  const char* source = "kernel void k(global int* a, global int* b) {\n"
                       "  size_t i = get_global_id(0);\n  a[i] = a[b[i]];\n}";
  for (int round = 0; round < 2; ++round) {
    const auto log = build_log(build(context_, source, "-heddle-explain"));
    EXPECT_NE(log.find(":1: kernel 'k': "), std::string::npos) << log;
    // What the CPU is faster with.
    EXPECT_TRUE(log.find(":3:10: gather: ") != std::string::npos ||
                log.find(":3:10: one load per lane: ") != std::string::npos)
        << log;
  }
  EXPECT_EQ(build_log(build(context_, source)), "");
}

TEST_F(ProgramTest, NotYetBuilt) {
  const auto program = make_program(context_, kSeven);
  EXPECT_EQ(status_of(program), CL_BUILD_NONE);
  cl_int status = 1;
  EXPECT_EQ(clCreateKernel(program, "k", &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_PROGRAM_EXECUTABLE);
  cl_uint count = 0;
  EXPECT_EQ(clCreateKernelsInProgram(program, 0, nullptr, &count), CL_INVALID_PROGRAM_EXECUTABLE);
  size_t size = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof size, &size, nullptr),
            CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &size),
            CL_INVALID_PROGRAM_EXECUTABLE);
  cl_program_binary_type type = 99;
  ASSERT_EQ(
      clGetProgramBuildInfo(program, device(), CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(type, cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_NONE});
}

TEST_F(ProgramTest, BuildErrors) {
  const auto program = make_program(context_, kSeven);
  const auto d = device();
  int data = 0;
  EXPECT_EQ(clBuildProgram(program, 1, nullptr, "", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program, 0, &d, "", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, &data), CL_INVALID_VALUE);
  EXPECT_EQ(clCompileProgram(program, 1, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clCompileProgram(program, 0, nullptr, "", 1, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-no-such-option", nullptr, nullptr),
            CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(clCompileProgram(program, 0, nullptr, "-no-such-option", 0, nullptr, nullptr, nullptr,
                             nullptr),
            CL_INVALID_COMPILER_OPTIONS);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  // A program with kernels attached cannot be built again.
  auto kernel = make_kernel(program, "k");
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_INVALID_OPERATION);
  kernel.reset();
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
}

TEST_F(ProgramTest, LogHasDiagnostics) {
  EXPECT_EQ(build_status("kernel void k(global int* x) {\n  *x = undeclared_thing;\n}\n", ""),
            CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(status_of(program_), CL_BUILD_ERROR);
  const auto log = build_log(program_);
  EXPECT_NE(log.find("undeclared_thing"), std::string::npos) << log;
  EXPECT_NE(log.find("error"), std::string::npos) << log;
  EXPECT_NE(log.find(":2:"), std::string::npos) << log;
  cl_int status = 1;
  EXPECT_EQ(clCreateKernel(program_, "k", &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(ProgramTest, Warnings) {
  const char* source = "kernel void k(global int* x) {\n#warning look here\n *x = 7; }";
  EXPECT_EQ(build_status(source, ""), CL_SUCCESS);
  EXPECT_NE(build_log(program_).find("look here"), std::string::npos);
  EXPECT_EQ(build_status(source, "-w"), CL_SUCCESS);
  EXPECT_EQ(build_log(program_).find("look here"), std::string::npos);
  EXPECT_EQ(build_status(source, "-Werror"), CL_BUILD_PROGRAM_FAILURE);
}

TEST_F(ProgramTest, Options) {
  const char* source = "kernel void k(global int* x) { *x = A + B; }";
  for (const char* options :
       {"-DA=3 -DB=4", "-D A=3 -D B=4", "  -DA=3   -D  B=4  ", "-D A -DB=6",
        "-DA=3 -DB=4 -cl-fast-relaxed-math -cl-mad-enable -cl-no-signed-zeros",
        "-DA=3 -DB=4 -cl-opt-disable -cl-unsafe-math-optimizations -cl-finite-math-only",
        "-DA=3 -DB=4 -cl-std=CL1.2 -cl-single-precision-constant -cl-denorms-are-zero",
        "-DA=3 -DB=4 -cl-kernel-arg-info", "-DA=3 -DB=4 -cl-std=CL1.1"}) {
    ASSERT_EQ(build_status(source, options), CL_SUCCESS) << options << "\n" << build_log(program_);
    EXPECT_EQ(run_one(program_), 7) << options;
    size_t size = 0;
    ASSERT_EQ(
        clGetProgramBuildInfo(program_, device(), CL_PROGRAM_BUILD_OPTIONS, 0, nullptr, &size),
        CL_SUCCESS);
    std::string text(size, '\0');
    ASSERT_EQ(clGetProgramBuildInfo(program_, device(), CL_PROGRAM_BUILD_OPTIONS, size, text.data(),
                                    nullptr),
              CL_SUCCESS);
    EXPECT_STREQ(text.c_str(), options);
  }
}

TEST_F(ProgramTest, LanguageVersions) {
  const char* source = "kernel void k(global int* x) { *x = __OPENCL_C_VERSION__; }";
  const std::pair<const char*, cl_int> versions[] = {
      {"-cl-std=CL1.0", 100}, {"-cl-std=CL1.1", 110}, {"-cl-std=CL1.2", 120}, {"", 120}};
  for (const auto& [options, expected] : versions) {
    ASSERT_EQ(build_status(source, options), CL_SUCCESS) << options;
    EXPECT_EQ(run_one(program_), expected) << options;
  }
  EXPECT_EQ(build_status(source, "-cl-std=CL9.9"), CL_INVALID_BUILD_OPTIONS);
}

// A version in CL_DEVICE_OPENCL_C_ALL_VERSIONS builds; any other fails the build, and the log lists
// the supported ones (OpenCL API 5.8.6.5).
TEST_F(ProgramTest, LanguageVersionsAreThoseListed) {
  std::vector<cl_name_version> listed(16);
  size_t bytes = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_OPENCL_C_ALL_VERSIONS,
                            listed.size() * sizeof listed[0], listed.data(), &bytes),
            CL_SUCCESS);
  listed.resize(bytes / sizeof listed[0]);
  const char* source = "kernel void k(global int* x) { *x = __OPENCL_C_VERSION__; }";
  const std::pair<cl_version, const char*> versions[] = {
      {CL_MAKE_VERSION(1, 0, 0), "-cl-std=CL1.0"}, {CL_MAKE_VERSION(1, 1, 0), "-cl-std=CL1.1"},
      {CL_MAKE_VERSION(1, 2, 0), "-cl-std=CL1.2"}, {CL_MAKE_VERSION(2, 0, 0), "-cl-std=CL2.0"},
      {CL_MAKE_VERSION(3, 0, 0), "-cl-std=CL3.0"}, {CL_MAKE_VERSION(3, 1, 0), "-cl-std=CL3.1"}};
  for (const auto& [version, options] : versions) {
    const bool is_listed = std::any_of(
        listed.begin(), listed.end(),
        [version = version](const cl_name_version& entry) { return entry.version == version; });
    if (is_listed) {
      ASSERT_EQ(build_status(source, options), CL_SUCCESS) << options;
      EXPECT_EQ(run_one(program_),
                CL_VERSION_MAJOR(version) * 100 + CL_VERSION_MINOR(version) * 10);
      continue;
    }
    EXPECT_EQ(build_status(source, options), CL_BUILD_PROGRAM_FAILURE) << options;
    EXPECT_NE(build_log(program_).find(options), std::string::npos) << build_log(program_);
    EXPECT_NE(build_log(program_).find("CL3.0"), std::string::npos) << build_log(program_);
    const auto fresh = make_program(context_, source);
    EXPECT_EQ(clCompileProgram(fresh, 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr),
              CL_COMPILE_PROGRAM_FAILURE);
  }
}

// Headers and inputs of another context (OpenCL API 5.8.6 and 5.8.7, since 3.1).
TEST_F(ProgramTest, OfAnotherContext) {
  const auto other = make_context();
  const auto program = make_program(context_, "#include \"h.h\"\nkernel void k() {}");
  const auto header = make_program(other, "int twice(int);");
  const cl_program headers[] = {header};
  const char* names[] = {"h.h"};
  EXPECT_EQ(clCompileProgram(program, 0, nullptr, "", 1, headers, names, nullptr, nullptr),
            CL_INVALID_CONTEXT);
  const auto compiled = make_program(other, "kernel void k() {}");
  ASSERT_EQ(clCompileProgram(compiled, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  const cl_program inputs[] = {compiled};
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clLinkProgram(context_, 0, nullptr, "", 1, inputs, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
}

// Include paths with spaces, quoted as users write them.
TEST_F(ProgramTest, IncludePaths) {
  namespace fs = std::filesystem;
  const auto top = fs::temp_directory_path() / ("heddle include " + std::to_string(getpid()));
  fs::create_directories(top / "inner");
  std::ofstream(top / "seven.h") << "#include \"inner/value.h\"\n#define SEVEN VALUE\n";
  std::ofstream(top / "inner" / "value.h") << "#define VALUE 7\n";
  const char* source = "#include <seven.h>\nkernel void k(global int* x) { *x = SEVEN; }";
  for (const auto& options :
       {"-I \"" + top.string() + "\"", "-I\"" + top.string() + "\"", "\"-I" + top.string() + "\"",
        "-w -I \"" + top.string() + "\" -DX=1"}) {
    ASSERT_EQ(build_status(source, options.c_str()), CL_SUCCESS) << options << "\n"
                                                                 << build_log(program_);
    EXPECT_EQ(run_one(program_), 7) << options;
  }
  // A changed header causes a new build in spite of the cache.
  std::ofstream(top / "inner" / "value.h") << "#define VALUE 8\n";
  ASSERT_EQ(build_status(source, ("-I \"" + top.string() + "\"").c_str()), CL_SUCCESS);
  EXPECT_EQ(run_one(program_), 8);
  fs::remove_all(top);
  EXPECT_EQ(build_status(source, ("-I \"" + top.string() + "\"").c_str()),
            CL_BUILD_PROGRAM_FAILURE);
}

// Headers installed on the machine are not found.
TEST_F(ProgramTest, HeadersOfTheMachineAreNotFound) {
  for (const char* header : {"CL/cl_version.h", "linux/stddef.h", "asm-generic/errno-base.h"})
    EXPECT_EQ(build_status("#include <" + std::string(header) + ">\nkernel void k() {}", ""),
              CL_BUILD_PROGRAM_FAILURE)
        << header;
}

void CL_CALLBACK built(cl_program, void* data) {
  static_cast<std::atomic<bool>*>(data)->store(true);
}

TEST_F(ProgramTest, BuildWithCallback) {
  std::atomic<bool> called{false};
  const auto program = make_program(context_, kSeven);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", built, &called), CL_SUCCESS);
  for (int i = 0; i != 3000 && !called; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(called);
  EXPECT_EQ(status_of(program), CL_BUILD_SUCCESS);
  EXPECT_EQ(run_one(program), 7);
  // The callback is also called for a failure.
  called = false;
  const auto broken = make_program(context_, "kernel void k( {");
  clBuildProgram(broken, 0, nullptr, "", built, &called);
  for (int i = 0; i != 3000 && !called; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(called);
  EXPECT_EQ(status_of(broken), CL_BUILD_ERROR);
}

TEST_F(ProgramTest, CompileWithHeaders) {
  const auto outer =
      make_program(context_, "#include \"deep/inner.h\"\n#define VALUE (INNER + 1)\n");
  const auto inner = make_program(context_, "#define INNER 6\n");
  const auto source =
      make_program(context_, "#include \"outer.h\"\nkernel void k(global int* x) { *x = VALUE; }");
  const cl_program headers[] = {outer, inner};
  const char* names[] = {"outer.h", "deep/inner.h"};
  ASSERT_EQ(clCompileProgram(source, 0, nullptr, "", 2, headers, names, nullptr, nullptr),
            CL_SUCCESS)
      << build_log(source);
  cl_program_binary_type type = 0;
  ASSERT_EQ(
      clGetProgramBuildInfo(source, device(), CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(type, cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT});
  cl_int status = 1;
  EXPECT_EQ(clCreateKernel(source, "k", &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_PROGRAM_EXECUTABLE);
  const cl_program inputs[] = {source};
  Program linked(clLinkProgram(context_, 0, nullptr, "", 1, inputs, nullptr, nullptr, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  EXPECT_EQ(run_one(linked), 7);
}

TEST_F(ProgramTest, LinkWithLibrary) {
  const auto helper = make_program(context_, "constant int table[4] = {1, 2, 3, 7};\n"
                                             "int helper(int i) { return table[i]; }");
  const auto user = make_program(context_, "int helper(int i);\n"
                                           "kernel void k(global int* x) { *x = helper(3); }");
  for (const cl_program p : {helper.get(), user.get()})
    ASSERT_EQ(clCompileProgram(p, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
              CL_SUCCESS)
        << build_log(p);
  cl_int status = 1;
  const cl_program library_inputs[] = {helper};
  Program library(clLinkProgram(context_, 0, nullptr, "-create-library", 1, library_inputs, nullptr,
                                nullptr, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  cl_program_binary_type type = 0;
  ASSERT_EQ(
      clGetProgramBuildInfo(library, device(), CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(type, cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_LIBRARY});
  const cl_program inputs[] = {user, library};
  Program linked(clLinkProgram(context_, 0, nullptr, "", 2, inputs, nullptr, nullptr, &status));
  ASSERT_EQ(status, CL_SUCCESS) << (linked ? build_log(linked) : "");
  EXPECT_EQ(run_one(linked), 7);
}

TEST_F(ProgramTest, LinkErrors) {
  const auto user = make_program(
      context_, "int nowhere(int i);\nkernel void k(global int* x) { *x = nowhere(3); }");
  cl_int status = 1;
  const cl_program inputs[] = {user};
  ASSERT_EQ(clCompileProgram(user, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  Program linked(clLinkProgram(context_, 0, nullptr, "", 1, inputs, nullptr, nullptr, &status));
  EXPECT_EQ(status, CL_LINK_PROGRAM_FAILURE);
  if (linked) {
    EXPECT_NE(build_log(linked).find("nowhere"), std::string::npos);
  }
  linked = Program(clLinkProgram(context_, 0, nullptr, "", 0, inputs, nullptr, nullptr, &status));
  EXPECT_EQ(status, CL_INVALID_VALUE);
  linked = Program(clLinkProgram(context_, 0, nullptr, "", 1, nullptr, nullptr, nullptr, &status));
  EXPECT_EQ(status, CL_INVALID_VALUE);
  linked = Program(
      clLinkProgram(context_, 0, nullptr, "-no-such-option", 1, inputs, nullptr, nullptr, &status));
  EXPECT_EQ(status, CL_INVALID_LINKER_OPTIONS);
  const auto d = device();
  linked = Program(clLinkProgram(context_, 0, &d, "", 1, inputs, nullptr, nullptr, &status));
  EXPECT_EQ(status, CL_INVALID_VALUE);
}

TEST_F(ProgramTest, CompileFailure) {
  const auto broken = make_program(context_, "kernel void k(global int* x) { *x = oops; }");
  EXPECT_EQ(clCompileProgram(broken, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_COMPILE_PROGRAM_FAILURE);
  EXPECT_NE(build_log(broken).find("oops"), std::string::npos);
  EXPECT_EQ(status_of(broken), CL_BUILD_ERROR);
}

TEST_F(ProgramTest, BinaryLoadsAgain) {
  const auto bytes = binary_of(build(context_, kSeven));
  ASSERT_FALSE(bytes.empty());
  Program again;
  ASSERT_EQ(load(bytes.data(), bytes.size(), &again), CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(again, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(run_one(again), 7);
  EXPECT_EQ(binary_of(again), bytes);
}

TEST_F(ProgramTest, BinaryOfACompiledObjectLinks) {
  const auto object = make_program(context_, kSeven);
  ASSERT_EQ(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  const auto bytes = binary_of(object);
  Program again;
  ASSERT_EQ(load(bytes.data(), bytes.size(), &again), CL_SUCCESS);
  cl_program_binary_type type = 0;
  ASSERT_EQ(
      clGetProgramBuildInfo(again, device(), CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(type, cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT});
  cl_int status = 1;
  const cl_program inputs[] = {again};
  Program linked(clLinkProgram(context_, 0, nullptr, "", 1, inputs, nullptr, nullptr, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  EXPECT_EQ(run_one(linked), 7);
}

TEST_F(ProgramTest, BinaryErrors) {
  cl_int status = 1;
  const auto d = device();
  const auto bytes = binary_of(build(context_, kSeven));
  const auto* p = bytes.data();
  const size_t size = bytes.size(), zero = 0;
  const unsigned char* none = nullptr;
  EXPECT_EQ(clCreateProgramWithBinary(context_, 0, &d, &size, &p, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithBinary(context_, 1, nullptr, &size, &p, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithBinary(context_, 1, &d, nullptr, &p, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithBinary(context_, 1, &d, &size, nullptr, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithBinary(context_, 1, &d, &zero, &p, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithBinary(context_, 1, &d, &size, &none, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
}

TEST_F(ProgramTest, ForeignBinaries) {
  const std::string texts[] = {"x",
                               "not a program",
                               std::string(4096, '\0'),
                               std::string(100000, 'A'),
                               std::string("\177ELF\2\1\1\0", 8) + std::string(500, '\1'),
                               std::string("BC\xc0\xde", 4) + std::string(500, '\2')};
  for (const auto& text : texts)
    EXPECT_EQ(load(reinterpret_cast<const unsigned char*>(text.data()), text.size()),
              CL_INVALID_BINARY);
  std::ifstream self("/proc/self/exe", std::ios::binary);
  const std::string program((std::istreambuf_iterator<char>(self)),
                            std::istreambuf_iterator<char>());
  EXPECT_EQ(load(reinterpret_cast<const unsigned char*>(program.data()), program.size()),
            CL_INVALID_BINARY);
}

TEST_F(ProgramTest, TruncatedBinaries) {
  const auto bytes = binary_of(build(context_, kSeven));
  for (size_t keep = 1; keep < bytes.size(); keep += 1 + bytes.size() / 97)
    ASSERT_EQ(load(bytes.data(), keep), CL_INVALID_BINARY) << keep << " of " << bytes.size();
  ASSERT_EQ(load(bytes.data(), bytes.size() - 1), CL_INVALID_BINARY);
}

TEST_F(ProgramTest, BinariesWithFlippedBits) {
  auto bytes = binary_of(build(context_, kSeven));
  for (size_t i = 0; i < bytes.size(); i += 1 + bytes.size() / 211) {
    bytes[i] ^= 1u << (i % 8);
    ASSERT_EQ(load(bytes.data(), bytes.size()), CL_INVALID_BINARY) << "bit of byte " << i;
    bytes[i] ^= 1u << (i % 8);
  }
  EXPECT_EQ(load(bytes.data(), bytes.size()), CL_SUCCESS);
}

// The memory is read only during the call; the user may free it afterwards.
TEST_F(ProgramTest, BinaryIsCopied) {
  auto bytes = binary_of(build(context_, kSeven));
  Program again;
  ASSERT_EQ(load(bytes.data(), bytes.size(), &again), CL_SUCCESS);
  std::memset(bytes.data(), 0xee, bytes.size());
  ASSERT_EQ(clBuildProgram(again, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(run_one(again), 7);
}

TEST_F(ProgramTest, BuiltInKernels) {
  cl_int status = 1;
  const auto d = device();
  EXPECT_EQ(clCreateProgramWithBuiltInKernels(context_, 1, &d, "no_such_kernel", &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithBuiltInKernels(context_, 0, &d, "x", &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithBuiltInKernels(context_, 1, &d, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
}

TEST_F(ProgramTest, ParallelBuilds) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t != 8; ++t)
    threads.emplace_back([&, t] {
      for (int n = 0; n != 3; ++n) {
        const int value = t * 100 + n + static_cast<int>(getpid() % 1000) * 1000;
        const auto program =
            build(context_, "kernel void k(global int* x) { *x = " + std::to_string(value) + "; }");
        const auto kernel = make_kernel(program, "k");
        const auto out = make_buffer(context_, 4);
        const auto queue = make_queue(context_);
        set_args(kernel, out);
        run(queue, kernel, {{1}, {}, {}});
        right += read<cl_int>(queue, out, 1)[0] == value;
      }
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(right, 24);
}

TEST_F(ProgramTest, ReferencesKeepTheProgram) {
  auto program = build(context_, kSeven);
  const auto kernel = make_kernel(program, "k");
  const auto handle = program.get();
  program.reset();
  cl_program parent = nullptr;
  ASSERT_EQ(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof parent, &parent, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(parent, handle);
  const auto out = make_buffer(context_, 4);
  set_args(kernel, out);
  run(queue_, kernel, {{1}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue_, out, 1)[0], 7);
}

} // namespace
} // namespace heddle::test
