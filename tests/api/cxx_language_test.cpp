// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ for OpenCL 1.0 and 2021 (cl_ext_cxx_for_opencl): the language.
#include "tests/api/api_test.h"

#include <numeric>

namespace heddle::test {
namespace {

constexpr const char* kLanguages[] = {"-cl-std=CLC++", "-cl-std=CLC++1.0", "-cl-std=CLC++2021"};

std::vector<cl_int> ints(const std::string& source, size_t count = 64,
                         const char* options = "-cl-std=CLC++2021") {
  std::vector<cl_int> input(count);
  std::iota(input.begin(), input.end(), 0);
  return compute<cl_int>(source, options, {{count}, {16}, {}}, count, input);
}

TEST(CxxLanguage, TemplatesAndClassesInEachVersion) {
  for (const auto* options : kLanguages) {
    const auto values = ints(R"(
      template <class T, int N> struct Polynomial {
        T coefficient[N];
        constexpr T operator()(T x) const {
          T sum = 0;
          for (int i = N - 1; i >= 0; --i)
            sum = sum * x + coefficient[i];
          return sum;
        }
      };
      struct Base {
        int offset;
        explicit Base(int offset) : offset(offset) {}
        int shifted(int x) const { return x + offset; }
      };
      struct Derived : public Base {
        using Base::Base;
        int shifted(int x, int twice) const { return Base::shifted(x) * twice; }
      };
      namespace detail { template <class T> T largest(T a, T b) { return a < b ? b : a; } }
      enum class Choice : int { first = 1, second = 2 };
      kernel void k(global int* out, global const int* in) {
        const size_t i = get_global_id(0);
        Polynomial<int, 3> p{{1, 2, 3}};
        Derived d(10);
        out[i] = detail::largest(p(in[i]), 100) + d.shifted(in[i], static_cast<int>(Choice::second));
      })",
                             64, options);
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(values[i], std::max(1 + 2 * i + 3 * i * i, 100) + (i + 10) * 2) << options << i;
  }
}

TEST(CxxLanguage, LambdasReferencesAndCasts) {
  const auto values = ints(R"(
    template <class F> int apply(F f, int x) { return f(x); }
    void add(__global int& to, const int& what) { to += what; }
    void add(__local int& to, const int& what) { to += 2 * what; }
    kernel void k(global int* out, global const int* in) {
      local int sums[16];
      const int i = get_global_id(0), l = get_local_id(0);
      sums[l] = 1;
      add(sums[l], in[i]);
      out[i] = 0;
      add(out[i], in[i]);
      int scale = 3;
      auto scaled = [&](int x) { return x * scale; };
      scale = 4;
      out[i] += apply(scaled, sums[l]);
      int* anywhere = &out[i];
      __global int* named = addrspace_cast<__global int*>(anywhere);
      *named += apply([=](int x) { return x + l; }, 5);
      struct Pair { int a, b; };
      auto [a, b] = Pair{i, 2};
      if constexpr (sizeof(int) == 4)
        *reinterpret_cast<__global unsigned*>(named) += static_cast<unsigned>(a * b);
      const int* fixed = anywhere;
      *const_cast<int*>(fixed) += 1;
    })");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(values[i], i + 4 * (1 + 2 * i) + 5 + i % 16 + 2 * i + 1) << i;
}

TEST(CxxLanguage, AddressSpacesOfMemberFunctions) {
  const auto values = ints(R"(
    struct Where {
      int x;
      int which() __global { return 1; }
      int which() __local { return 3; }
      int which() __private { return 5; }
      int which() __constant { return 2; }
      int which() { return 4; }
    };
    __global Where in_global;
    __constant Where in_constant = {7};
    template <class T> int of_pointer(T* p) {
      __private typename __remove_address_space<T>::type copy = *p;
      return copy;
    }
    kernel void k(global int* out, global const int* in) {
      local Where in_local;
      Where in_private;
      Where* anywhere = &in_private;
      out[get_global_id(0)] = in_global.which() * 10000 + in_constant.which() * 1000 +
                              in_local.which() * 100 + anywhere->which() * 10 + in_private.which();
      out[get_global_id(0)] += of_pointer(&in[get_global_id(0)]) * 100000;
    })");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(values[i], 12345 + i * 100000) << i;
}

// Overloads, address spaces and mangled names are those of OpenCL C.
TEST(CxxLanguage, BuiltinFunctions) {
  for (const auto* options : kLanguages) {
    const auto values = ints(R"(
      kernel void k(global int* out, global const int* in) {
        local int shared[16];
        local atomic_int counter;
        const int i = get_global_id(0), l = get_local_id(0);
        if (l == 0)
          atomic_init(&counter, 0);
        event_t copied = async_work_group_copy(shared, in + get_group_id(0) * 16, 16, 0);
        wait_group_events(1, &copied);
        atomic_fetch_add_explicit(&counter, shared[15 - l], memory_order_relaxed);
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        float4 v = (float4)((float)i, 1.0f, 2.0f, 3.0f);
        float whole;
        const float part = fract(sqrt((float)i * i) + 0.25f, &whole);
        float stored[4];
        vstore4(v, 0, stored);
        int2 pair = convert_int2_sat(vload2(0, stored));
        out[i] = atomic_load(&counter) + pair.x + (int)whole + (int)(part * 4) +
                 as_int(1.0f) / 0x3f800000 + work_group_reduce_add(1) + sub_group_any(1) +
                 mad24(i, 2, 1) + (int)dot(v, (float4)(0, 1, 1, 1)) + select(1, 2, i > 3);
      })",
                             64, options);
    for (int i = 0; i < 64; ++i) {
      const int first = i / 16 * 16;
      EXPECT_EQ(values[i],
                first * 16 + 120 + i + i + 1 + 1 + 16 + 1 + 2 * i + 1 + 6 + (i > 3 ? 2 : 1))
          << options << " " << i;
    }
  }
}

TEST(CxxLanguage, Extensions) {
  const auto values = ints(R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global int* out, global const int* in) {
      half h = 1.5h;
      double d = 0.5;
      async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = (int)(h * 2) + (int)(d * 4) + work_group_reduce_mul(1) +
                              bit_reverse(1) / (1 << 30);
    })");
  for (const auto value : values)
    EXPECT_EQ(value, 3 + 2 + 1 - 2);
}

TEST(CxxLanguage, VectorLiteralsInTemplates) {
  const auto values = ints(R"(
    template <class T> float4 mixed(T a, T b) { return (float4)((float2)(0), (a + b).xy); }
    kernel void k(global int* out, global const int* in) {
      const float i = in[get_global_id(0)];
      const float4 v = mixed((float4)(i, 2, 3, 4), (float4)(1, 1, 1, 1));
      out[get_global_id(0)] = (int)(v.x * 1000 + v.y * 100 + v.z * 10 + v.w);
    })");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(values[i], (i + 1) * 10 + 3) << i;
}

// 2.2.2.2: predefined macros. Features have macros from the version on that is compatible with
// OpenCL C 3.0.
TEST(CxxLanguage, Macros) {
  constexpr const char* kSource = R"(
    #if defined(__OPENCL_C_VERSION__) || __CL_CPP_VERSION_1_0__ != 100 || __CL_CPP_VERSION_2021__ != 202100
    #error
    #endif
    #if defined(__cpp_rtti) || defined(__cpp_exceptions) || __cplusplus != 201703L
    #error
    #endif
    #if !defined(__opencl_cpp_destructor_with_address_spaces) || !defined(__opencl_cpp_global_destructor)
    #error
    #endif
    #if __OPENCL_CPP_VERSION__ == 202100 && !(defined(__opencl_c_generic_address_space) && \
        defined(__opencl_c_program_scope_global_variables) && defined(__opencl_c_images) && \
        defined(__opencl_c_subgroups) && defined(__opencl_c_atomic_order_seq_cst))
    #error
    #endif
    #if !defined(cl_khr_fp64) || !defined(cl_khr_fp16) || !defined(__cpp_threadsafe_static_init)
    #error
    #endif
    kernel void k(global int* out) { out[0] = __OPENCL_CPP_VERSION__; })";
  for (const auto& [options, version] :
       {std::pair("-cl-std=CLC++", 100), {"-cl-std=CLC++1.0", 100}, {"-cl-std=CLC++2021", 202100}})
    EXPECT_EQ(compute<cl_int>(kSource, options, {{1}, {}, {}}, 1)[0], version);
}

// cl_ext_cxx_for_opencl 1.0.0: the version is that of -cl-std=CLC++.
TEST(CxxLanguage, VersionOfTheDevice) {
  constexpr cl_device_info kVersion = 0x4230; // CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT
  EXPECT_NE((" " + device_text(CL_DEVICE_EXTENSIONS) + " ").find(" cl_ext_cxx_for_opencl "),
            std::string::npos);
  EXPECT_EQ(info<cl_version>(device(), kVersion), cl_version{CL_MAKE_VERSION(1, 0, 0)});
  expect_info_contract([](auto... a) { return clGetDeviceInfo(device(), a...); }, kVersion);
  // The extension is a language, and no macro.
  EXPECT_EQ(ints(R"(
    #ifdef cl_ext_cxx_for_opencl
    #error
    #endif
    kernel void k(global int* out, global const int* in) { out[get_global_id(0)] = 1; })")[0],
            1);
}

// Kernels are extern "C", and clGetKernelArgInfo tells of them as in OpenCL C.
TEST(CxxLanguage, KernelsHaveTheirNames) {
  const auto context = make_context();
  const auto program = build(context, R"(
    namespace inner { kernel void first(global float* x) { x[0] = 1; } }
    kernel void second(local int* scratch, __constant uint* y, const float4 z) {})",
                             "-cl-std=CLC++");
  char names[64] = "";
  check(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, nullptr), "names");
  EXPECT_STREQ(names, "first;second");
  const auto kernel = make_kernel(program, "second");
  char type[64] = "";
  check(clGetKernelArgInfo(kernel, 2, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, nullptr), "type");
  EXPECT_STREQ(type, "float4");
  EXPECT_EQ(
      clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, sizeof names, names, nullptr),
      CL_SUCCESS);
}

// As from OpenCL C 2.0 on.
TEST_F(ApiTest, CxxKernelsMayHaveNonUniformGroups) {
  const auto program = build(
      context_, "kernel void k(global int* out) { out[get_global_id(0)] = get_local_size(0); }",
      "-cl-std=CLC++");
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context_, 40);
  set_args(kernel, out);
  run(queue_, kernel, {{10}, {4}, {}});
  EXPECT_EQ(read<cl_int>(queue_, out, 10)[9], 2);
}

// What the language excludes (2.3.1.1, 2.2.2.4, 2.5) is an error of the build.
TEST_F(ApiTest, CxxErrors) {
  const struct {
    const char* source;
    const char* message;
  } cases[] = {
      {"struct A { virtual int f(); };", "virtual functions are not supported"},
      {"void f() { throw 1; }", "exceptions disabled"},
      {"void f() { try {} catch (...) {} }", "exceptions disabled"},
      {"struct A {}; struct B : A {}; B* f(A* a) { return dynamic_cast<B*>(a); }", "dynamic_cast"},
      {"void f() { typeid(int); }", "typeid"},
      {"#include <vector>\n", "file not found"},
      {"int* f() { return new int; }", "default new"},
      {"void f(int* p) { delete p; }", "default delete"},
      {"thread_local int x;", "thread-local storage"},
      {"template <class T> kernel void k(T* p) {}", "template"},
      {"kernel void k(global int* p) {} kernel void k(global float* p) {}", "conflicting"},
      {"struct A { kernel void k() {} };", "kernel"},
      {"struct A { int x; A(int x); ~A(); }; kernel void k(A a) {}", "kernel parameter"},
      {"void f() { void (^block)(void) = ^{}; }", "blocks support disabled"},
      {"struct A { void f(); }; void g() { auto p = &A::f; }", "taking address of function"},
      {"kernel void k() { local int x = 1; }", "cannot have an initializer"},
      {"int f(int x); void g() { int (*p)(int) = 0; }", "pointers to functions are not allowed"},
      {"#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n"
       "int f(int x) { return x; } int called(int i) { int (*p)(int) = f; return p(i); }",
       "calls a function through a pointer"},
      {"#pragma OPENCL EXTENSION __cl_clang_variadic_functions : enable\n"
       "int variadic(int x, ...) { return x; }",
       "has a variable number of arguments"},
  };
  for (const auto* options : {"-cl-std=CLC++", "-cl-std=CLC++2021"})
    for (const auto& [source, message] : cases) {
      const auto program = make_program(context_, source);
      EXPECT_EQ(clBuildProgram(program, 0, nullptr, options, nullptr, nullptr),
                CL_BUILD_PROGRAM_FAILURE)
          << options << source;
      EXPECT_NE(build_log(program).find(message), std::string::npos) << options << source << "\n"
                                                                     << build_log(program);
    }
}

TEST_F(ApiTest, CxxVersionsThatDoNotExist) {
  for (const char* options : {"-cl-std=CLC++2.0", "-cl-std=CLC", "-cl-std=clc++"})
    EXPECT_EQ(clBuildProgram(make_program(context_, "kernel void k() {}"), 0, nullptr, options,
                             nullptr, nullptr),
              CL_INVALID_BUILD_OPTIONS)
        << options;
}

} // namespace
} // namespace heddle::test
