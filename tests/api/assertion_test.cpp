// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions of kernels: cl_intel_devicelib_assert, and __assert_fail of C. A failed one ends the
// command with an error and is told; the program goes on.
#include "conformance/programs/command_buffer_api.h"
#include "tests/api/api_test.h"

#include <mutex>
#include <numeric>
#include <string>
#include <utility>

namespace heddle::test {
namespace {

const char* kSource = R"(
  void __devicelib_assert_fail(constant char* expression, constant char* file, int line,
                               constant char* function, size_t, size_t, size_t,
                               size_t, size_t, size_t);
  void __assert_fail(constant char* expression, constant char* file, uint line,
                     constant char* function);
  #define assert(condition) \
    ((condition) ? (void)0 : __assert_fail(#condition, "grid.cl", __LINE__ - 10, __func__))
  kernel void add_one(global int* x, int bad) {
    size_t i = get_global_id(0);
    assert(x[i] != bad);
    x[i] += 1;
  }
  kernel void with_ids(global int* x, int bad) {
    size_t i = get_global_id(0);
    if (x[i] == bad)
      __devicelib_assert_fail("x[i] % 2", "grid.cl", 42, 0, i, 7, 8, get_local_id(0), 9, 10);
    x[i] += 1;
  }
  kernel void between_barriers(global int* x, int bad, local int* l) {
    size_t i = get_global_id(0);
    l[get_local_id(0)] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = l[get_local_size(0) - 1 - get_local_id(0)];
    for (int k = 0; k < 3; ++k) {
      assert(v != bad);
      barrier(CLK_LOCAL_MEM_FENCE);
      l[get_local_id(0)] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[i] += 1;
  }
  int divided(int a, int b) {
    assert(b != 0);
    return a / b;
  }
  kernel void in_a_function(global int* x, int zero) {
    size_t i = get_global_id(0) + get_global_size(0) * get_global_id(1);
    for (int k = 1; k < 20; ++k)
      x[i] += divided(1000, x[i] - zero) & 1;
  }
  kernel void says_before(global int* x, int bad) {
    if (get_global_id(0) == 0)
      printf("at first\n");
    assert(bad == 7);
    x[0] = 1;
  })";

struct Messages {
  std::mutex mutex;
  std::string text;
  static void CL_CALLBACK add(const char* message, const void*, size_t, void* self) {
    auto& own = *static_cast<Messages*>(self);
    const std::lock_guard lock(own.mutex);
    own.text += message;
  }
  std::string take() {
    const std::lock_guard lock(mutex);
    return std::exchange(text, {});
  }
};

class AssertionTest : public testing::Test {
 protected:
  static constexpr size_t kItems = 1000;
  Messages messages_;
  Context context_ = make_context(Messages::add, &messages_);
  Queue queue_ = make_queue(context_);
  Program program_ = build(context_, kSource, "-cl-std=CL3.0");
  std::vector<cl_int> values_ = [] {
    std::vector<cl_int> values(kItems);
    std::iota(values.begin(), values.end(), 0);
    return values;
  }();
  Buffer buffer_ = make_buffer(context_, kItems * 4, values_.data());

  // Runs a kernel that fails, and expects these parts in its message.
  void expect_failure(cl_kernel kernel, const Range& range, const std::vector<std::string>& parts) {
    Event event;
    testing::internal::CaptureStderr();
    EXPECT_EQ(enqueue(queue_, kernel, range, event.out()), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, event.address()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_LT(event_status(event), 0);
    clFinish(queue_);
    expect_told(testing::internal::GetCapturedStderr(), parts);
  }
  void expect_told(const std::string& printed, const std::vector<std::string>& parts) {
    const auto told = messages_.take();
    for (const auto& part : parts) {
      EXPECT_NE(told.find(part), std::string::npos) << part << " in: " << told;
      EXPECT_NE(printed.find(part), std::string::npos) << part << " in: " << printed;
    }
  }
};

TEST_F(AssertionTest, TellsWhatAndWhere) {
  const auto kernel = make_kernel(program_, "add_one");
  set_args(kernel, buffer_, cl_int{-1});
  run(queue_, kernel, {{kItems}, {10}, {}}); // holds: values are 1 to kItems now
  EXPECT_EQ(messages_.take(), "");
  set_args(kernel, buffer_, cl_int{324});
  expect_failure(kernel, {{kItems}, {10}, {}},
                 {"kernel 'add_one'", "grid.cl:1: add_one: ", "global id: [323,0,0]",
                  "local id: [3,0,0]", "Assertion `x[i] != bad` failed."});
  // The work-item that failed did nothing behind the assertion; the queue and the context go on.
  EXPECT_EQ(read<cl_int>(queue_, buffer_, 1, 323)[0], 324);
  set_args(kernel, buffer_, cl_int{-1});
  run(queue_, kernel, {{kItems}, {10}, {}});
  EXPECT_EQ(read<cl_int>(queue_, buffer_, 1, 323)[0], 325);
  EXPECT_EQ(messages_.take(), "");
}

TEST_F(AssertionTest, IdsAndNoFunctionOfTheProgram) {
  const auto kernel = make_kernel(program_, "with_ids");
  set_args(kernel, buffer_, cl_int{17});
  expect_failure(
      kernel, {{kItems}, {10}, {}},
      {"grid.cl:42: global id: [17,7,8], local id: [7,9,10] Assertion `x[i] % 2` failed."});
}

TEST_F(AssertionTest, BetweenBarriers) {
  const auto kernel = make_kernel(program_, "between_barriers");
  set_args(kernel, buffer_, cl_int{500}, Local{40});
  expect_failure(kernel, {{kItems}, {10}, {}},
                 {"between_barriers: global id: [509,0,0], local id: [9,0,0]"});
  set_args(kernel, buffer_, cl_int{-1}, Local{40});
  run(queue_, kernel, {{kItems}, {10}, {}});
}

TEST_F(AssertionTest, InFunctionsAndTwoDimensions) {
  const auto kernel = make_kernel(program_, "in_a_function");
  set_args(kernel, buffer_, cl_int{654});
  expect_failure(kernel, {{20, 50}, {4, 5}, {}},
                 {"divided: global id: [14,32,0], local id: [2,2,0] Assertion `b != 0` failed."});
}

// All work-items fail; one is reported. What they printed before is printed.
TEST_F(AssertionTest, ManyAtOnce) {
  const auto kernel = make_kernel(program_, "says_before");
  set_args(kernel, buffer_, cl_int{3});
  testing::internal::CaptureStdout();
  expect_failure(kernel, {{kItems}, {kItems}, {}}, {"Assertion `bad == 7` failed."});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "at first\n");
  EXPECT_EQ(read<cl_int>(queue_, buffer_, 1)[0], 0);
}

TEST_F(AssertionTest, WhatDependsOnItFails) {
  const auto bad = make_kernel(program_, "add_one"), good = make_kernel(program_, "add_one");
  set_args(bad, buffer_, cl_int{5});
  const auto other = make_buffer(context_, kItems * 4, values_.data());
  set_args(good, other, cl_int{-1});
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Event failed, after, independent;
  testing::internal::CaptureStderr();
  ASSERT_EQ(enqueue(queue, bad, {{kItems}, {}, {}}, failed.out()), CL_SUCCESS);
  ASSERT_EQ(enqueue(queue, good, {{10}, {}, {}}, after.out(), {failed}), CL_SUCCESS);
  ASSERT_EQ(enqueue(queue, good, {{10}, {}, {10}}, independent.out()), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, after.address()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clWaitForEvents(1, independent.address()), CL_SUCCESS);
  testing::internal::GetCapturedStderr();
  EXPECT_LT(event_status(after), 0);
  const auto result = read<cl_int>(queue_, other, 20);
  EXPECT_EQ(result[3], 3);
  EXPECT_EQ(result[13], 14);
}

TEST_F(AssertionTest, InCommandBuffers) {
  using namespace command_buffers;
  const Api api(platform());
  const auto kernel = make_kernel(program_, "add_one");
  cl_int error = CL_SUCCESS;
  const auto recorded = api.create(1, queue_.address(), nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  const size_t items = kItems;
  for (const cl_int bad : {-1, 101, -1}) { // the second replay of the first has values of 1 and up
    set_args(kernel, buffer_, bad);
    ASSERT_EQ(api.kernel(recorded, nullptr, nullptr, kernel, 1, nullptr, &items, nullptr, 0,
                         nullptr, nullptr, nullptr),
              CL_SUCCESS);
  }
  ASSERT_EQ(api.finalize(recorded), CL_SUCCESS);
  Event event;
  testing::internal::CaptureStderr();
  ASSERT_EQ(api.enqueue(0, nullptr, recorded, 0, nullptr, event.out()), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, event.address()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  expect_told(testing::internal::GetCapturedStderr(),
              {"global id: [100,0,0]", "Assertion `x[i] != bad` failed."});
  clFinish(queue_);
  EXPECT_EQ(read<cl_int>(queue_, buffer_, 1, 100)[0], 101); // by the first command only
  api.release(recorded);
}

// What a program defines itself is a function like others.
TEST_F(AssertionTest, FunctionsOfTheProgram) {
  const auto program = build(context_, R"(
    void __assert_fail(constant char* expression, constant char* file, uint line,
                       constant char* function) { printf("%s is wrong\n", expression); }
    kernel void k(global int* x) { if (x[3] == 3) __assert_fail("x", "", 0, ""); x[0] = 9; })");
  const auto kernel = make_kernel(program, "k");
  set_args(kernel, buffer_);
  testing::internal::CaptureStdout();
  run(queue_, kernel, {{1}, {}, {}});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "x is wrong\n");
  EXPECT_EQ(read<cl_int>(queue_, buffer_, 1)[0], 9);
}

// One that never returns, in the words of the program.
TEST_F(AssertionTest, DeclaredAsNotReturning) {
  const auto program = build(context_, R"(
    __attribute__((noreturn)) void __assert_fail(constant char* expression, constant char* file,
                                                 uint line, constant char* function);
    kernel void k(global int* x, local int* l, int bad) {
      size_t i = get_local_id(0);
      if (x[i] == bad) __assert_fail("x[i] != bad", "k.cl", 3, "k");
      l[i] = x[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      x[i] = l[get_local_size(0) - 1 - i];
    })");
  const auto kernel = make_kernel(program, "k");
  set_args(kernel, buffer_, Local{400}, cl_int{-1});
  run(queue_, kernel, {{100}, {100}, {}});
  EXPECT_EQ(read<cl_int>(queue_, buffer_, 1)[0], 99);
  set_args(kernel, buffer_, Local{400}, cl_int{72});
  expect_failure(kernel, {{100}, {100}, {}}, {"k.cl:3: k: global id: [27,0,0]"});
}

TEST_F(AssertionTest, WrongDeclarations) {
  const std::pair<const char*, const char*> cases[] = {
      {"void __assert_fail(constant char*, constant char*, uint);", ""},
      {"void __assert_fail(constant char*, constant char*, uint, int);", ", 1"},
      {"void __assert_fail(constant char*, constant char*, float, constant char*);", ", \"\""},
      {"int __assert_fail(constant char*, constant char*, uint, constant char*);", ", \"\""}};
  for (const auto& [declaration, last] : cases) {
    const auto program =
        make_program(context_, std::string(declaration) +
                                   "kernel void k() { __assert_fail(\"\", \"\", 1" + last + "); }");
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr),
              CL_BUILD_PROGRAM_FAILURE)
        << declaration;
    EXPECT_NE(build_log(program).find("'__assert_fail' is not declared"), std::string::npos)
        << build_log(program);
  }
}

TEST_F(AssertionTest, TheExtensionIsReported) {
  EXPECT_NE(device_text(CL_DEVICE_EXTENSIONS).find("cl_intel_devicelib_assert"), std::string::npos);
}

} // namespace
} // namespace heddle::test
