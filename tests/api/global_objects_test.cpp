// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects with constructors and destructors at program scope and in functions (C++ for OpenCL
// 2.3.1.7, OpenCL API 3.2.1).
#include "tests/api/api_test.h"
#include "tests/api/shared_memory.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <sys/wait.h>
#include <thread>

namespace heddle::test {
namespace {

constexpr const char* kCxx = "-cl-std=CLC++2021";

class GlobalObjects : public ApiTest {
 protected:
  // The int that kernel `name` writes.
  cl_int value(cl_program program, const char* name = "k") {
    const auto kernel = make_kernel(program, name);
    const auto out = make_buffer(context_, 4);
    set_args(kernel, out);
    run(queue_, kernel, {{1}, {1}, {}});
    return read<cl_int>(queue_, out, 1)[0];
  }
  static cl_bool flag(cl_program program, cl_program_info name) {
    cl_bool answer = 7;
    check(clGetProgramInfo(program, name, sizeof answer, &answer, nullptr), "clGetProgramInfo");
    return answer;
  }
  static bool has_constructors(cl_program program) {
    return flag(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT) == CL_TRUE;
  }
  static bool has_destructors(cl_program program) {
    return flag(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT) == CL_TRUE;
  }
  Program compile(const std::string& source, const char* options = kCxx) {
    auto program = make_program(context_, source);
    EXPECT_EQ(clCompileProgram(program, 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr),
              CL_SUCCESS)
        << build_log(program);
    return program;
  }
  Program link(const std::vector<cl_program>& programs, const char* options = "") {
    cl_int error = 0;
    Program program(clLinkProgram(context_, 0, nullptr, options,
                                  static_cast<cl_uint>(programs.size()), programs.data(), nullptr,
                                  nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS) << build_log(program);
    return program;
  }
  Program reload(cl_program program) {
    size_t size = 0;
    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "size");
    std::vector<unsigned char> binary(size);
    auto* address = binary.data();
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof address, &address, nullptr),
          "binary");
    const auto* bytes = binary.data();
    const auto target = device();
    cl_int error = 0;
    Program loaded(clCreateProgramWithBinary(context_, 1, &target, &size, &bytes, nullptr, &error));
    check(error, "clCreateProgramWithBinary");
    check(clBuildProgram(loaded, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
    return loaded;
  }
};

constexpr const char* kCounted = R"(
  __global int constructed = 0;
  struct Counted {
    int value;
    Counted(int value) : value(value) { ++constructed; }
    int get() const { return value * 10 + constructed; }
  };
  Counted first(3), second(first.value + 1);
  __global Counted list[2] = {5, 6};
  const int computed = second.value * 2;
  template <class T> struct Holder { static T held; };
  template <class T> T Holder<T>::held = T(sizeof(T)) + 40;
  struct Inline { static inline Counted made{8}; };
  kernel void k(global int* out) {
    out[0] = second.get() * 10000 + list[1].value * 1000 + computed * 100 + Holder<int>::held;
  }
  kernel void raise(global int* out) { out[0] = ++second.value; }
  kernel void count(global int* out) { out[0] = constructed + 0 * Inline::made.value; }
)";

TEST_F(GlobalObjects, ConstructorsRunOnceBeforeTheFirstKernel) {
  for (const char* options : {"-cl-std=CLC++", "-cl-std=CLC++2021", "-cl-std=CLC++ -cl-opt-disable",
                              "-cl-std=CLC++2021 -g"}) {
    SCOPED_TRACE(options);
    const auto program = build(context_, kCounted, options);
    EXPECT_TRUE(has_constructors(program));
    EXPECT_FALSE(has_destructors(program));
    EXPECT_EQ(value(program), (40 + 5) * 10000 + 6000 + 800 + 44);
    EXPECT_EQ(value(program, "count"), 5);
    EXPECT_EQ(value(program, "raise"), 5);
    EXPECT_EQ(value(program, "raise"), 6);
    EXPECT_EQ(value(program, "count"), 5);
  }
}

// Kernels of the program's own are the only ones that the API shows.
TEST_F(GlobalObjects, AreNoKernelsOfTheApi) {
  const auto program = build(context_, kCounted, kCxx);
  size_t kernels = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr), "n");
  EXPECT_EQ(kernels, 3u);
  cl_int error = 0;
  for (const char* name : {"heddle.initialize", "_GLOBAL__sub_I_program.cl"})
    EXPECT_EQ(clCreateKernel(program, name, &error), nullptr) << name;
  EXPECT_EQ(error, CL_INVALID_KERNEL_NAME);
}

// Each build has an image of its variables.
TEST_F(GlobalObjects, EachBuildConstructsItsOwn) {
  const auto one = build(context_, kCounted, kCxx), other = build(context_, kCounted, kCxx);
  EXPECT_EQ(value(one, "raise"), 5);
  EXPECT_EQ(value(other, "raise"), 5);
  check(clBuildProgram(one, 0, nullptr, kCxx, nullptr, nullptr), "clBuildProgram");
  EXPECT_EQ(value(one, "raise"), 5);
}

TEST_F(GlobalObjects, InBinaries) {
  const auto program = build(context_, kCounted, kCxx);
  EXPECT_EQ(value(program, "raise"), 5);
  const auto loaded = reload(program);
  EXPECT_TRUE(has_constructors(loaded));
  EXPECT_EQ(value(loaded, "raise"), 5); // constructed anew
  EXPECT_EQ(value(reload(loaded), "count"), 5);
}

TEST_F(GlobalObjects, LinkedUnitsInTheirOrder) {
  constexpr const char* kHeader = R"(
    extern __global int order;
    struct Logged { int at; Logged() { at = ++order; } };
    template <class T> struct Shared { static Logged one; };
    template <class T> Logged Shared<T>::one;
  )";
  const std::string header = kHeader;
  const auto a = compile(header + R"(
    __global int order = 0;
    static Logged own;
    int own_of_a() { return own.at; }
    int shared_of_a() { return Shared<int>::one.at; })");
  const auto b = compile(header + R"(
    static Logged own;
    int own_of_a();
    int shared_of_a();
    kernel void k(global int* out) {
      out[0] = own_of_a() * 1000 + own.at * 100 + shared_of_a() * 10 + Shared<int>::one.at;
    }
    kernel void count(global int* out) { out[0] = order; })");
  const auto program = link({a, b});
  EXPECT_TRUE(has_constructors(program));
  EXPECT_EQ(value(program, "count"), 3); // what is shared is constructed once
  EXPECT_EQ(value(program), 2311);
  EXPECT_EQ(value(link({link({a}, "-create-library"), b})), 2311);
  EXPECT_EQ(value(reload(program)), 2311);
  // With a program in OpenCL C.
  const auto c = compile("int plain(int x) { return x + 1; }", "-cl-std=CL3.0");
  const auto mixed = compile(R"(
    int plain(int x) __attribute__((overloadable));
    extern "C" int plain_c(int x);
    struct A { int x; A() : x(get_global_size(0) + 4) {} };
    A object;
    kernel void k(global int* out) { out[0] = object.x; })");
  EXPECT_EQ(value(link({c, mixed})), 5);
}

TEST_F(GlobalObjects, InitPriority) {
  const auto program = build(context_, R"(
    __global int order = 0;
    struct Logged { int at; Logged() { at = ++order; } };
    Logged plain;
    __attribute__((init_priority(500))) Logged late;
    __attribute__((init_priority(200))) Logged early;
    kernel void k(global int* out) { out[0] = early.at * 100 + late.at * 10 + plain.at; })",
                             kCxx);
  EXPECT_EQ(value(program), 123);
}

// Variables are read, written and asked for by name after they are constructed.
TEST_F(GlobalObjects, VariablesByName) {
  const auto get =
      extension<cl_int(CL_API_CALL*)(cl_device_id, cl_program, const char*, size_t*, void**)>(
          "clGetDeviceGlobalVariablePointerINTEL");
  const auto program = build(context_, kCounted, kCxx);
  size_t size = 0;
  void* pointer = nullptr;
  ASSERT_EQ(get(device(), program, "second", &size, &pointer), CL_SUCCESS);
  EXPECT_EQ(*static_cast<cl_int*>(pointer), 4);
  *static_cast<cl_int*>(pointer) = 70;
  EXPECT_EQ(value(program, "raise"), 71);
}

// Several threads enqueue the first kernels of a program at the same time.
TEST_F(GlobalObjects, FirstKernelsOfManyThreads) {
  for (int round = 0; round < 4; ++round) {
    const auto program = build(context_, kCounted, kCxx);
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        const auto queue = make_queue(context_);
        const auto kernel = make_kernel(program, "count");
        const auto out = make_buffer(context_, 4);
        set_args(kernel, out);
        run(queue, kernel, {{1}, {1}, {}});
        wrong += read<cl_int>(queue, out, 1)[0] != 5;
      });
    for (auto& thread : threads)
      thread.join();
    EXPECT_EQ(wrong, 0);
  }
}

// An initializer that reads work-item functions is one work-item of a range of (1, 1, 1).
TEST_F(GlobalObjects, TheRangeOfConstructors) {
  const auto program = build(context_, R"(
    int sizes = get_global_size(0) * 100 + get_local_size(1) * 10 + get_num_groups(2);
    int ids = get_global_id(0) + get_local_id(1) + get_group_id(2) + get_global_offset(0);
    float root = sqrt(2.0f * get_work_dim());
    kernel void k(global int* out) { out[0] = sizes * 10 + ids + (root > 1.4f ? 5 : 6); })",
                             kCxx);
  EXPECT_EQ(value(program), 1115);
}

TEST_F(GlobalObjects, ConstructorsThatFault) {
  std::string message;
  const auto context = make_context([](const char* text, const void*, size_t,
                                       void* into) { *static_cast<std::string*>(into) += text; },
                                    &message);
  const auto queue = make_queue(context);
  const auto program = build(context, R"(
    struct Faults { int x; Faults(int* p) : x(*p) {} };
    Faults object((int*)16);
    kernel void k(global int* out) { out[0] = object.x; })",
                             kCxx);
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context, 4);
  set_args(kernel, out);
  EXPECT_EQ(enqueue(queue, kernel, {{1}, {}, {}}), CL_OUT_OF_RESOURCES);
  EXPECT_NE(message.find("constructors"), std::string::npos) << message;
  EXPECT_NE(message.find("SIGSEGV"), std::string::npos) << message;
  EXPECT_EQ(enqueue(queue, kernel, {{1}, {}, {}}), CL_OUT_OF_RESOURCES);
}

TEST_F(GlobalObjects, StaticObjectsOfFunctions) {
  constexpr size_t kItems = 4096;
  for (const char* options : {"-cl-std=CLC++2021", "-cl-std=CLC++ -cl-opt-disable"}) {
    const auto program = build(context_, R"(
      __global atomic_int constructed = 0;
      struct Slow {
        int value;
        Slow(int x) {
          for (volatile int i = 0; i < 1000; ++i) {}
          value = x;
          atomic_fetch_add(&constructed, 1);
        }
      };
      int shared(int x) {
        static Slow object(x + 100);
        return object.value;
      }
      template <int N> int of_template(int x) {
        static Slow object(N);
        return object.value + x;
      }
      kernel void k(global int* out) {
        static Slow object(7);
        const int i = get_global_id(0);
        out[i] = 0;
        if (i % 3 != 1)
          out[i] = shared(i);
        out[i] += object.value * 1000000 + of_template<1>(0) + of_template<2>(0);
      }
      kernel void count(global int* out) { out[0] = atomic_load(&constructed); })",
                               options);
    const auto kernel = make_kernel(program, "k");
    const auto out = make_buffer(context_, kItems * 4);
    set_args(kernel, out);
    run(queue_, kernel, {{kItems}, {64}, {}});
    const auto values = read<cl_int>(queue_, out, kItems);
    EXPECT_GE(values[0], 7000103);
    EXPECT_NE((values[0] - 7000103) % 3, 1); // one of the work-items that called the function
    for (size_t i = 0; i < kItems; ++i)
      ASSERT_EQ(values[i], i % 3 == 1 ? 7000003 : values[0]) << i;
    EXPECT_EQ(value(program, "count"), 4) << options;
  }
}

// Nobody waits for a work-item whose initializer faulted; the next one tries again.
TEST_F(GlobalObjects, StaticObjectsWhoseConstructorsFault) {
  const auto context = make_context([](const char*, const void*, size_t, void*) {});
  const auto queue = make_queue(context);
  const auto program = build(context, R"(
    struct Reads { int value; Reads(__global const int* p) : value(*p) {} };
    kernel void k(global int* out, ulong address) {
      static Reads object((__global const int*)address);
      out[get_global_id(0)] = object.value;
    })",
                             kCxx);
  constexpr size_t kItems = 1 << 14;
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context, kItems * 4);
  for (int round = 0; round < 3; ++round) {
    set_args(kernel, out, cl_ulong{16});
    Event event;
    check(enqueue(queue, kernel, {{kItems}, {64}, {}}, event.out()), "enqueue");
    EXPECT_EQ(clWaitForEvents(1, event.address()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(event_status(event), CL_OUT_OF_RESOURCES);
  }
  alignas(4) static cl_int source = 77;
  set_args(kernel, out, reinterpret_cast<cl_ulong>(&source));
  run(queue, kernel, {{kItems}, {64}, {}});
  for (const auto value : read<cl_int>(queue, out, kItems))
    ASSERT_EQ(value, 77);
}

constexpr const char* kDestroyed = R"(
  struct Named {
    int name;
    Named(int name) : name(name) { printf("+%d ", name); }
    ~Named() { printf("-%d ", name); }
  };
  struct InGlobal {
    int name;
    InGlobal(int name) __global : name(name) {}
    ~InGlobal() __global { printf("~%d ", name); }
  };
  Named a(1), b(2);
  __global InGlobal c(3);
  Named list[2] = {4, 5};
  template <class T> struct Holder { static Named held; };
  template <class T> Named Holder<T>::held(9);
  void f() { static Named local_object(6); }
  kernel void k(global int* out) { f(); Named here(7); out[0] = b.name; }
  kernel void other(global int* out) { out[0] = Holder<int>::held.name; }
)";

// What the child prints between the markers.
std::string printed(const std::string& what) {
  const auto result = run_self({"--gtest_filter=GlobalObjects.DISABLED_Child",
                                "--gtest_also_run_disabled_tests", "--gtest_brief=1", what});
  EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) << result.output;
  const auto begin = result.output.find("<<<"), end = result.output.find(">>>");
  return begin == std::string::npos || end == std::string::npos
             ? "no output: " + result.output
             : result.output.substr(begin + 3, end - begin - 3);
}

TEST_F(GlobalObjects, DISABLED_Child) {
  const auto what = testing::internal::GetArgvs().back();
  const auto say = [](const char* text) {
    std::fputs(text, stdout);
    std::fflush(stdout);
  };
  say("<<<");
  auto program = build(context_, kDestroyed, kCxx);
  if (what == "binary")
    program = reload(program);
  EXPECT_TRUE(has_destructors(program));
  if (what == "twice")
    value(program, "other");
  if (what == "other") {
    EXPECT_EQ(value(program, "other"), 9);
  } else if (what != "unused") {
    EXPECT_EQ(value(program, "k"), 2);
  }
  say("| ");
  if (what == "rebuilt") {
    check(clBuildProgram(program, 0, nullptr, kCxx, nullptr, nullptr), "clBuildProgram");
    say("| ");
  }
  program.reset();
  say(">>>");
}

// The last object that was constructed is destroyed first, when the program is released.
TEST_F(GlobalObjects, DestructorsInReverseOrder) {
  const std::string all = "+9 +1 +2 +4 +5 ", end = "-5 -4 ~3 -2 -1 -9 ";
  EXPECT_EQ(printed("k"), all + "+6 +7 -7 | -6 " + end);
  EXPECT_EQ(printed("binary"), all + "+6 +7 -7 | -6 " + end);
  EXPECT_EQ(printed("rebuilt"), all + "+6 +7 -7 | -6 " + end + "| ");
  EXPECT_EQ(printed("other"), all + "| " + end);
  EXPECT_EQ(printed("twice"), all + "+6 +7 -7 | -6 " + end);
}

// A program without a kernel that runs constructs and destroys nothing.
TEST_F(GlobalObjects, ProgramsThatAreNotUsed) { EXPECT_EQ(printed("unused"), "| "); }

TEST_F(GlobalObjects, ProgramsWithoutObjects) {
  const auto program =
      build(context_, "global int x = 3; kernel void k(global int* out) { out[0] = x; }", kCxx);
  EXPECT_FALSE(has_constructors(program));
  EXPECT_FALSE(has_destructors(program));
  // The specification's error of a device without OpenCL C++ (OpenCL API 5.8.3).
  EXPECT_EQ(clSetProgramReleaseCallback(
                program, [](cl_program, void*) {}, nullptr),
            CL_INVALID_OPERATION);
}

} // namespace
} // namespace heddle::test
