// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_ext_cxx_for_opencl and the C++ for OpenCL Programming Language, 1.0 and 2021.
#include "harness.h"

using namespace conformance;

namespace {

constexpr cl_device_info kVersion = 0x4230; // CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT

class CxxForOpenCL : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!has_word(info_string(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS),
                  "cl_ext_cxx_for_opencl"))
      GTEST_SKIP() << "cl_ext_cxx_for_opencl is not reported";
  }
  // Whether the device builds programs of version 2021, which the extension does not ask for.
  bool has_2021() {
    Program program = make_program("kernel void k() {}");
    return clBuildProgram(program, 1, &device, "-cl-std=CLC++2021", nullptr, nullptr) == CL_SUCCESS;
  }
  cl_int result(const std::string& source, const char* options = "-cl-std=CLC++") {
    Program program = build(source, options);
    return result_of(program);
  }
  cl_int result_of(cl_program program, const char* name = "k") {
    Kernel kernel = make_kernel(program, name);
    Memory out = make_buffer(std::vector<cl_int>(1, -1));
    set_arguments(kernel, out);
    run(kernel, {1});
    return read<cl_int>(out, 1)[0];
  }
};

// The value of the macro is 100 for version 1.0, and the query names the version.
TEST_F(CxxForOpenCL, VersionAgreesWithTheMacro) {
  SPEC("cl_ext_cxx_for_opencl: Conformance tests; C++ for OpenCL: Predefined macros");
  const auto version = info<cl_version>(clGetDeviceInfo, device, kVersion);
  EXPECT_EQ(result("kernel void k(global int* out) { *out = __OPENCL_CPP_VERSION__; }"),
            cl_int(CL_VERSION_MAJOR(version) * 100 + CL_VERSION_MINOR(version) * 10 +
                   CL_VERSION_PATCH(version)));
  EXPECT_EQ(result(R"(kernel void k(global int* out) {
    #ifdef __OPENCL_C_VERSION__
    *out = 0;
    #else
    *out = __CL_CPP_VERSION_1_0__ + __CL_CPP_VERSION_2021__;
    #endif
  })"),
            100 + 202100);
  if (has_2021()) {
    EXPECT_EQ(result("kernel void k(global int* out) { *out = __OPENCL_CPP_VERSION__; }",
                     "-cl-std=CLC++2021"),
              202100);
  }
}

TEST_F(CxxForOpenCL, CompiledAndLinked) {
  SPEC("cl_ext_cxx_for_opencl: -cl-std=CLC++ is accepted by clCompileProgram");
  Program unit = make_program(R"(
    template <class T> T twice(T x) { return x + x; }
    kernel void k(global int* out) { *out = twice(21); })");
  ASSERT_EQ(
      clCompileProgram(unit, 1, &device, "-cl-std=CLC++", 0, nullptr, nullptr, nullptr, nullptr),
      CL_SUCCESS)
      << build_log(unit);
  const cl_program units[] = {unit};
  cl_int error = CL_SUCCESS;
  Program linked(clLinkProgram(context, 1, &device, "", 1, units, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(result_of(linked), 42);
}

TEST_F(CxxForOpenCL, VariablesOfAProgramAreSharedByItsKernels) {
  SPEC("C++ for OpenCL: Address space inference, static data members are in __global");
  Program program = build(R"(
    template <class T> struct Kept { static T value; };
    template <class T> T Kept<T>::value = 5;
    kernel void raise(global int* out) { *out = Kept<int>::value += 2; }
    kernel void k(global int* out) {
      __global int* where = &Kept<int>::value;
      *out = *where * 10;
    })",
                          "-cl-std=CLC++");
  EXPECT_EQ(result_of(program, "raise"), 7);
  EXPECT_EQ(result_of(program, "k"), 70);
}

TEST_F(CxxForOpenCL, AddressSpaces) {
  SPEC("C++ for OpenCL: References, Member function qualifier, Casts, Placeholder types");
  EXPECT_EQ(result(R"(
    struct C {
      int in() __local { return 3; }
      int in() { return 4; }
    };
    int space(__global int&) { return 1; }
    int space(__private int&) { return 5; }
    kernel void k(global int* out) {
      local C a;
      C b;
      int c;
      auto* pointer = out;
      __global int& reference = *pointer;
      reference = a.in() * 1000 + b.in() * 100 + space(*pointer) * 10 + space(c);
      int* anywhere = out;
      *addrspace_cast<__global int*>(anywhere) += 30000;
    })"),
            33415);
}

TEST_F(CxxForOpenCL, TemporariesAndLambdas) {
  SPEC("C++ for OpenCL: Temporary materialization, Lambda function");
  EXPECT_EQ(result(R"(
    int bar(const unsigned int& i) { return int(i) + 1; }
    template <class F> int with(F f) { return f(2); }
    kernel void k(global int* out) {
      int scale = 10;
      auto scaled = [&](int x) __private { return x * scale; };
      *out = bar(1) + with([=](int x) { return x * scale; }) + scaled(3);
    })"),
            2 + 20 + 30);
}

TEST_F(CxxForOpenCL, ConstantObjects) {
  SPEC("C++ for OpenCL: Construction, initialization and destruction, __constant");
  EXPECT_EQ(result(R"(
    struct C1 { int m; };
    struct C2 { int m; constexpr C2(int init) __constant : m(init) {} };
    __constant C1 c1obj1 = {1};
    __constant C1 c1obj2 = C1();
    __constant C2 c2obj1(3);
    kernel void k(global int* out) { *out = c1obj1.m * 100 + c1obj2.m * 10 + c2obj1.m; })"),
            103);
}

TEST_F(CxxForOpenCL, RemoveAddressSpace) {
  SPEC("C++ for OpenCL 2021: Address space removal type trait");
  if (!has_2021())
    GTEST_SKIP();
  EXPECT_EQ(result(R"(
    template <class T> int copy(T* p) {
      __private typename __remove_address_space<T>::type made = *p;
      return ++made;
    }
    kernel void k(global int* out) { *out = 6; *out = copy(out); })",
                   "-cl-std=CLC++2021"),
            7);
}

TEST_F(CxxForOpenCL, WhatTheLanguageExcludes) {
  SPEC("C++ for OpenCL: Restrictions to C++ features, Kernel functions");
  for (const char* source :
       {"struct A { virtual void f(); };", "void f() { throw 1; }", "#include <vector>\n",
        "int* f() { return new int; }", "template <class T> kernel void k(T* p) {}",
        "struct A { kernel void k() {} };", "thread_local int x;",
        "struct A {}; struct B : A {}; B* f(A* a) { return dynamic_cast<B*>(a); }"}) {
    Program program = make_program(source);
    EXPECT_EQ(clBuildProgram(program, 1, &device, "-cl-std=CLC++", nullptr, nullptr),
              CL_BUILD_PROGRAM_FAILURE)
        << source;
  }
}

} // namespace
