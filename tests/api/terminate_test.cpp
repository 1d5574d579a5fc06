// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_terminate_context (OpenCL API 4.4): what ends, with which status, and that nothing of the
// context is left.
#include "conformance/programs/command_buffer_api.h"
#include "tests/api/device_queue.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <thread>

namespace heddle::test {
namespace {

constexpr cl_command_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

clTerminateContextKHR_fn terminate_function() {
  return reinterpret_cast<clTerminateContextKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform(), "clTerminateContextKHR"));
}

const char* kSource = R"(
  kernel void add(global int* x) { x[get_global_id(0)] += 1; }
  kernel void endless(global volatile int* begun) {
    begun[0] = 1;
    while (begun[1] == 0) {}
    begun[2] = 1;
  }
  kernel void endless_arithmetic(global int* begun) {
    *(global volatile int*)begun = 1;
    uint v = (uint)get_global_id(0);
    for (;;) {
      v = v * 1664525u + 1013904223u;
      if (v == 0 && begun[1] != 0)
        break;
    }
    begun[3] = (int)v;
  }
  kernel void endless_barriers(global volatile int* begun, local int* l) {
    begun[0] = 1;
    while (begun[1] == 0) {
      l[get_local_id(0)] = begun[1];
      barrier(CLK_LOCAL_MEM_FENCE);
      begun[2 + l[get_local_size(0) - 1 - get_local_id(0)]] = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  kernel void endless_math(global volatile float* begun) {
    begun[0] = 1;
    float v = get_global_id(0) + 1.5f;
    while (begun[1] == 0)
      v = lgamma(v) + fmod(v * 1e30f, 0.37f) + pow(fabs(v), 1.1f) + 1;
    begun[3] = v;
  })";
const char* kEndlessPrintf = R"(
  kernel void endless(global volatile int* begun) {
    begun[0] = 1;
    while (begun[1] == 0)
      printf("%s", "");
  })";

// A context that can be terminated. All that tests make in it is released before finish(), which
// then expects that the context goes.
class Terminable {
 public:
  Terminable() {
    const cl_context_properties properties[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
    cl_int status = 1;
    const auto unit = device();
    context_ = Context(clCreateContext(
        properties, 1, &unit,
        [](const char*, const void*, size_t, void* self) {
          ++static_cast<Terminable*>(self)->notified;
        },
        this, &status));
    check(status, "clCreateContext");
    check(clSetContextDestructorCallback(
              context_,
              [](cl_context, void* gone) { *static_cast<std::atomic<bool>*>(gone) = true; },
              &gone_),
          "clSetContextDestructorCallback");
  }
  ~Terminable() {
    context_.reset();
    const auto begin = std::chrono::steady_clock::now();
    while (!gone_ && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(gone_) << "something keeps the context";
    if (!gone_)
      std::abort(); // it would write to what is gone
  }
  operator cl_context() const { return context_; }
  cl_int terminate() const { return terminate_function()(context_); }

  std::atomic<int> notified{0};

 private:
  std::atomic<bool> gone_{false};
  Context context_;
};

cl_event user_event(cl_context context) {
  cl_int status = 1;
  const auto event = clCreateUserEvent(context, &status);
  check(status, "clCreateUserEvent");
  return event;
}

// Waits for the event, and expects the status.
void expect_status(cl_event event, cl_int status = CL_CONTEXT_TERMINATED_KHR) {
  EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(event_status(event), status);
}

// Enqueues a kernel, and waits until it writes to its first argument: memory of the host, which the
// device uses.
struct Running {
  alignas(4096) volatile cl_int memory[1024] = {};
  Program program;
  Kernel kernel;
  Buffer begun;
  Event event;

  Running(cl_context context, cl_command_queue queue, const char* source, const char* name,
          const Range& range, size_t local_bytes = 0)
      : program(build(context, source)), kernel(make_kernel(program, name)) {
    begun = make_buffer(context, sizeof memory, const_cast<cl_int*>(memory),
                        CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR);
    set_args(kernel, begun);
    if (local_bytes != 0)
      check(clSetKernelArg(kernel, 1, local_bytes, nullptr), "clSetKernelArg");
    check(enqueue(queue, kernel, range, event.out()), "enqueue");
    check(clFlush(queue), "clFlush");
    while (memory[0] == 0)
      std::this_thread::yield();
  }
};

class TerminateTest : public ApiTest {
 protected:
  const size_t units_ = info<cl_uint>(device(), CL_DEVICE_MAX_COMPUTE_UNITS);
};

TEST_F(TerminateTest, QueriesAndProperties) {
  for (const cl_device_info query : {CL_DEVICE_TERMINATE_CAPABILITY_KHR, 0x200F}) // of 1.2
    EXPECT_EQ(info<cl_bitfield>(device(), query), 1u);
  const auto unit = device();
  cl_int status = 1;
  for (const cl_context_properties value : {2, -1}) {
    const cl_context_properties properties[] = {CL_CONTEXT_TERMINATE_KHR, value, 0};
    EXPECT_EQ(clCreateContext(properties, 1, &unit, nullptr, nullptr, &status), nullptr);
    EXPECT_EQ(status, CL_INVALID_PROPERTY);
  }
  const cl_context_properties twice[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE,
                                         CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  EXPECT_EQ(clCreateContext(twice, 1, &unit, nullptr, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_PROPERTY);
  const cl_context_properties off[] = {CL_CONTEXT_TERMINATE_KHR, CL_FALSE, 0};
  const Context context(clCreateContext(off, 1, &unit, nullptr, nullptr, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  const auto terminate = terminate_function();
  ASSERT_NE(terminate, nullptr);
  EXPECT_EQ(terminate(context), CL_INVALID_OPERATION);
  EXPECT_EQ(terminate(context_), CL_INVALID_OPERATION);
  EXPECT_EQ(terminate(nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(terminate(reinterpret_cast<cl_context>(queue_.get())), CL_INVALID_CONTEXT);
}

TEST_F(TerminateTest, LaterCalls) {
  const Terminable context;
  const auto queue = make_queue(context);
  const auto program = build(context, kSource);
  const auto kernel = make_kernel(program, "add");
  const auto buffer = make_buffer(context, 4096);
  set_args(kernel, buffer);
  Event complete;
  ASSERT_EQ(enqueue(queue, kernel, {{16}, {}, {}}, complete.out()), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  ASSERT_EQ(context.terminate(), CL_SUCCESS);
  EXPECT_EQ(context.notified, 1);
  EXPECT_EQ(context.terminate(), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(event_status(complete), CL_COMPLETE);
  constexpr cl_int kTerminated = CL_CONTEXT_TERMINATED_KHR;
  cl_int status = 1;
  const auto unit = device();
  const char* source = "";
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc image{};
  image.image_type = CL_MEM_OBJECT_IMAGE1D;
  image.image_width = 8;
  const cl_buffer_region part{0, 64};
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, unit, nullptr, &status), nullptr);
  EXPECT_EQ(std::exchange(status, 1), kTerminated);
  EXPECT_EQ(clCreateBuffer(context, 0, 64, nullptr, &status), nullptr);
  EXPECT_EQ(std::exchange(status, 1), kTerminated);
  EXPECT_EQ(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &status), nullptr);
  EXPECT_EQ(std::exchange(status, 1), kTerminated);
  EXPECT_EQ(clCreateImage(context, 0, &format, &image, nullptr, &status), nullptr);
  EXPECT_EQ(std::exchange(status, 1), kTerminated);
  EXPECT_EQ(clCreatePipe(context, 0, 4, 4, nullptr, &status), nullptr);
  EXPECT_EQ(std::exchange(status, 1), kTerminated);
  EXPECT_EQ(clCreateProgramWithSource(context, 1, &source, nullptr, &status), nullptr);
  EXPECT_EQ(std::exchange(status, 1), kTerminated);
  EXPECT_EQ(clCreateKernel(program, "add", &status), nullptr);
  EXPECT_EQ(std::exchange(status, 1), kTerminated);
  EXPECT_EQ(clCloneKernel(kernel, &status), nullptr);
  EXPECT_EQ(std::exchange(status, 1), kTerminated);
  EXPECT_EQ(clCreateUserEvent(context, &status), nullptr);
  EXPECT_EQ(std::exchange(status, 1), kTerminated);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0), nullptr);
  EXPECT_EQ(clSetContextDestructorCallback(
                context, [](cl_context, void*) {}, nullptr),
            kTerminated);
  char data[64] = {};
  EXPECT_EQ(enqueue(queue, kernel, {{16}, {}, {}}), kTerminated);
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 64, data, 0, nullptr, nullptr),
            kTerminated);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, data, 4, 0, 64, 0, nullptr, nullptr), kTerminated);
  EXPECT_EQ(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr, nullptr, &status),
      nullptr);
  EXPECT_EQ(std::exchange(status, 1), kTerminated);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, nullptr), kTerminated);
  EXPECT_EQ(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), kTerminated);
  // Queries and clFinish go on.
  cl_uint count = 0;
  EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clRetainContext(context), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  EXPECT_EQ(clFlush(queue), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  cl_ulong time = 0;
  EXPECT_EQ(
      clGetEventProfilingInfo(complete, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
      CL_PROFILING_INFO_NOT_AVAILABLE);
}

// All kinds of commands behind a user event.
TEST_F(TerminateTest, CommandsThatHaveNotBegun) {
  for (const auto flags : {cl_command_queue_properties{0}, kOutOfOrder}) {
    const Terminable context;
    const auto queue = make_queue(context, flags | CL_QUEUE_PROFILING_ENABLE);
    const auto program = build(context, kSource);
    const auto kernel = make_kernel(program, "add");
    const auto buffer = make_buffer(context, 1 << 16);
    set_args(kernel, buffer);
    const Event gate(user_event(context));
    std::vector<char> host(1 << 16);
    std::vector<Event> events(9);
    const auto* wait = gate.address();
    bool has_run = false;
    auto* pointer = &has_run;
    ASSERT_EQ(enqueue(queue, kernel, {{64}, {}, {}}, events[0].out(), {gate}), CL_SUCCESS);
    ASSERT_EQ(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, host.size(), host.data(), 1, wait,
                                  events[1].out()),
              CL_SUCCESS);
    ASSERT_EQ(clEnqueueFillBuffer(queue, buffer, host.data(), 4, 0, host.size(), 1,
                                  events[0].address(), events[2].out()),
              CL_SUCCESS);
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, events[3].out()), CL_SUCCESS);
    ASSERT_EQ(clEnqueueBarrierWithWaitList(queue, 1, wait, events[4].out()), CL_SUCCESS);
    ASSERT_EQ(clEnqueueNativeKernel(
                  queue, [](void* arguments) { **static_cast<bool**>(arguments) = true; }, &pointer,
                  sizeof pointer, 0, nullptr, nullptr, 0, nullptr, events[5].out()),
              CL_SUCCESS);
    ASSERT_EQ(enqueue(queue, kernel, {{64}, {}, {}}, events[6].out()), CL_SUCCESS);
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 1, events[6].address(), events[7].out()),
              CL_SUCCESS);
    cl_int status = 1;
    void* mapped = clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_WRITE, 0, 64, 1, wait,
                                      events[8].out(), &status);
    ASSERT_NE(mapped, nullptr);
    struct Seen {
      std::atomic<int> calls{0}, wrong{0};
    } seen;
    for (const auto& event : events)
      ASSERT_EQ(clSetEventCallback(
                    event, CL_COMPLETE,
                    [](cl_event, cl_int state, void* data) {
                      auto& counts = *static_cast<Seen*>(data);
                      if (state != CL_CONTEXT_TERMINATED_KHR)
                        ++counts.wrong;
                      ++counts.calls;
                    },
                    &seen),
                CL_SUCCESS);
    ASSERT_EQ(context.terminate(), CL_SUCCESS);
    EXPECT_EQ(seen.calls, static_cast<int>(events.size())); // on this thread
    EXPECT_EQ(seen.wrong, 0);
    for (const auto& event : events) {
      expect_status(event);
      cl_ulong time = 0;
      EXPECT_EQ(
          clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, sizeof time, &time, nullptr),
          CL_PROFILING_INFO_NOT_AVAILABLE);
    }
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_FALSE(has_run);
    EXPECT_EQ(event_status(gate), CL_SUBMITTED);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(event_status(gate), CL_COMPLETE);
    bool called = false;
    EXPECT_EQ(clSetEventCallback(
                  events[0], CL_COMPLETE,
                  [](cl_event, cl_int state, void* data) {
                    *static_cast<bool*>(data) = state == CL_CONTEXT_TERMINATED_KHR;
                  },
                  &called),
              CL_SUCCESS);
    EXPECT_TRUE(called);
  }
}

// A callback in the call that blocks, until one of another queue has been called by another thread.
TEST_F(TerminateTest, ACallbackThatBlocksTheCall) {
  const Terminable context;
  const Queue queues[] = {make_queue(context), make_queue(context)};
  const Event gate(user_event(context));
  struct State {
    std::atomic<int> called{0}, blocked{-1};
    std::atomic<bool> may_return{false}, is_in_time{false};
  } state;
  struct Entry {
    State* state;
    int index;
  } entries[] = {{&state, 0}, {&state, 1}};
  Event events[2];
  for (auto& entry : entries) {
    auto& event = events[entry.index];
    const cl_event wait = gate;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queues[entry.index], 1, &wait, event.out()), CL_SUCCESS);
    ASSERT_EQ(clSetEventCallback(
                  event, CL_COMPLETE,
                  [](cl_event, cl_int, void* data) {
                    const auto& own = *static_cast<Entry*>(data);
                    if (own.state->called++ != 0)
                      return;
                    own.state->blocked = own.index;
                    for (int i = 0; i < 1000 && !own.state->may_return; ++i)
                      std::this_thread::sleep_for(std::chrono::milliseconds(10));
                    own.state->is_in_time = own.state->may_return.load();
                  },
                  &entry),
              CL_SUCCESS);
  }
  std::thread other([&] {
    while (state.blocked < 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto allow = [](cl_event, cl_int, void* data) {
      static_cast<State*>(data)->may_return = true;
    };
    EXPECT_EQ(clSetEventCallback(events[1 - state.blocked], CL_COMPLETE, allow, &state),
              CL_SUCCESS);
  });
  EXPECT_EQ(context.terminate(), CL_SUCCESS);
  other.join();
  EXPECT_TRUE(state.is_in_time);
}

// A user event that was released before it was set keeps its dependents until then.
TEST_F(TerminateTest, AbandonedUserEvents) {
  for (const bool is_before : {false, true}) {
    const Terminable context;
    const auto queue = make_queue(context);
    Event gate(user_event(context)), event;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 1, gate.address(), event.out()), CL_SUCCESS);
    if (is_before)
      gate.reset();
    ASSERT_EQ(context.terminate(), CL_SUCCESS);
    expect_status(event);
  }
}

struct Shape {
  const char* source;
  const char* kernel;
  Range range;
  size_t local_bytes;
};

TEST_F(TerminateTest, EndlessKernels) {
  const Shape shapes[] = {
      {kSource, "endless", {{1}, {1}, {}}, 0},
      {kSource, "endless", {{64 * units_}, {64}, {}}, 0},
      {kSource, "endless_arithmetic", {{256 * units_}, {64}, {}}, 0},
      {kSource, "endless_barriers", {{64 * units_}, {64}, {}}, 256},
      {kSource, "endless_math", {{64 * units_}, {64}, {}}, 0},
      {kEndlessPrintf, "endless", {{16 * units_}, {16}, {}}, 0},
  };
  for (const auto& shape : shapes)
    for (int round = 0; round < 5; ++round) {
      SCOPED_TRACE(shape.kernel);
      const Terminable context;
      const auto queue = make_queue(context, round % 2 ? kOutOfOrder : 0);
      const Running running(context, queue, shape.source, shape.kernel, shape.range,
                            shape.local_bytes);
      Event after;
      ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, after.out()), CL_SUCCESS);
      const auto begin = std::chrono::steady_clock::now();
      ASSERT_EQ(context.terminate(), CL_SUCCESS);
      expect_status(running.event);
      expect_status(after);
      const auto taken = std::chrono::steady_clock::now() - begin;
      // 100 ms are promised; more is allowed for machines that are busy with other tests.
      EXPECT_LT(taken, std::chrono::milliseconds(1000));
      EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    }
}

// The thread that waits for the event runs the kernel itself.
TEST_F(TerminateTest, EndlessKernelOnAWaitingThread) {
  const Terminable context;
  const auto queue = make_queue(context);
  const auto program = build(context, kSource);
  const auto kernel = make_kernel(program, "endless");
  alignas(64) volatile cl_int memory[16] = {};
  const auto begun = make_buffer(context, sizeof memory, const_cast<cl_int*>(memory),
                                 CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR);
  set_args(kernel, begun);
  std::thread other([&] {
    while (memory[0] == 0) // builds take long on slow machines
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(context.terminate(), CL_SUCCESS);
  });
  Event event;
  ASSERT_EQ(enqueue(queue, kernel, {{1}, {1}, {}}, event.out()), CL_SUCCESS);
  expect_status(event);
  other.join();
  // The thread's floating-point modes and stacks are as before.
  EXPECT_EQ(compute<cl_int>("kernel void k(global int* out) { out[get_global_id(0)] = 3; }", "",
                            {{64}, {}, {}}, 64),
            std::vector<cl_int>(64, 3));
}

TEST_F(TerminateTest, KernelsThatEnqueueKernels) {
  if (info<cl_uint>(device(), CL_DEVICE_MAX_ON_DEVICE_QUEUES) == 0)
    GTEST_SKIP() << "no device queues";
  // An endless chain; a child that waits for an event that nobody sets; an endless child; and a
  // child that waits for an endless parent.
  const char* source = R"(
    void next(global volatile int* begun) {
      begun[0] = 1;
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                     ^{ next(begun); });
    }
    kernel void chain(global volatile int* begun) { next(begun); }
    kernel void waits(global volatile int* begun) {
      clk_event_t gate = create_user_event();
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, 0,
                     ^{ begun[2] = 1; });
      begun[0] = 1;
    }
    kernel void waits_for_released(global volatile int* begun) {
      clk_event_t gate = create_user_event(), child;
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, &child,
                     ^{ begun[2] = 1; });
      release_event(gate);
      begun[0] = 1;
    }
    kernel void endless(global volatile int* begun) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                     ^{ begun[0] = 1; while (begun[1] == 0) {} });
    }
    kernel void parent(global volatile int* begun) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                     ^{ begun[2] = 1; });
      begun[0] = 1;
      while (begun[1] == 0) {}
    })";
  for (const char* name : {"chain", "waits", "waits_for_released", "endless", "parent"})
    for (int round = 0; round < 10; ++round) {
      SCOPED_TRACE(name);
      const Terminable context;
      const auto queue = make_queue(context);
      const auto device_queue = make_device_queue(context, CL_QUEUE_ON_DEVICE_DEFAULT);
      const auto program = build(context, source, "-cl-std=CL3.0");
      const auto kernel = make_kernel(program, name);
      const auto begun = make_buffer(context, 4096, std::vector<cl_int>(1024).data(),
                                     CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR);
      set_args(kernel, begun);
      Event event;
      ASSERT_EQ(enqueue(queue, kernel, {{1}, {}, {}}, event.out()), CL_SUCCESS);
      ASSERT_EQ(clFlush(queue), CL_SUCCESS);
      std::this_thread::sleep_for(std::chrono::milliseconds(round));
      ASSERT_EQ(context.terminate(), CL_SUCCESS);
      expect_status(event);
    }
}

TEST_F(TerminateTest, KernelsThatWaitForPipes) {
  const Terminable context;
  const auto queue = make_queue(context);
  const auto program = build(context, R"(
    kernel void consume(read_only pipe int p, global volatile int* begun) {
      int v;
      begun[0] = 1;
      while (read_pipe(p, &v) != 0) {}
    })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "consume");
  cl_int status = 1;
  const Buffer pipe(clCreatePipe(context, 0, 4, 16, nullptr, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  const auto begun = make_buffer(context, 64, std::vector<cl_int>(16).data());
  set_args(kernel, pipe, begun);
  Event event;
  ASSERT_EQ(enqueue(queue, kernel, {{4}, {}, {}}, event.out()), CL_SUCCESS);
  ASSERT_EQ(clFlush(queue), CL_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_EQ(context.terminate(), CL_SUCCESS);
  expect_status(event);
}

// Functions of the program end by themselves; their events have the error nevertheless.
TEST_F(TerminateTest, NativeKernels) {
  const Terminable context;
  const auto queue = make_queue(context);
  struct State {
    std::atomic<bool> has_begun{false}, go{false};
  } state;
  auto* pointer = &state;
  Event event, after;
  ASSERT_EQ(clEnqueueNativeKernel(
                queue,
                [](void* arguments) {
                  auto& own = **static_cast<State**>(arguments);
                  own.has_begun = true;
                  while (!own.go)
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                },
                &pointer, sizeof pointer, 0, nullptr, nullptr, 0, nullptr, event.out()),
            CL_SUCCESS);
  ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, after.out()), CL_SUCCESS);
  ASSERT_EQ(clFlush(queue), CL_SUCCESS);
  while (!state.has_begun)
    std::this_thread::yield();
  ASSERT_EQ(context.terminate(), CL_SUCCESS);
  EXPECT_EQ(event_status(event), CL_RUNNING);
  state.go = true;
  expect_status(event);
  expect_status(after);
}

// The call in functions of the program that run for the context itself.
TEST_F(TerminateTest, FromCallbacksAndNativeKernels) {
  for (const bool is_callback : {false, true}) {
    const Terminable context;
    const auto queue = make_queue(context);
    struct State {
      const Terminable& context;
      std::atomic<cl_int> status{1};
    } state{context};
    auto* pointer = &state;
    Event event, after;
    const Event gate(user_event(context));
    if (is_callback) {
      ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 1, gate.address(), event.out()), CL_SUCCESS);
      ASSERT_EQ(clSetEventCallback(
                    event, CL_COMPLETE,
                    [](cl_event, cl_int, void* data) {
                      auto& own = *static_cast<State*>(data);
                      own.status = own.context.terminate();
                    },
                    &state),
                CL_SUCCESS);
    } else {
      ASSERT_EQ(clEnqueueNativeKernel(
                    queue,
                    [](void* arguments) {
                      auto& own = **static_cast<State**>(arguments);
                      own.status = own.context.terminate();
                    },
                    &pointer, sizeof pointer, 0, nullptr, nullptr, 1, gate.address(), event.out()),
                CL_SUCCESS);
    }
    const Event other(user_event(context));
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 1, other.address(), after.out()), CL_SUCCESS);
    ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    expect_status(after);
    while (state.status == 1)
      std::this_thread::yield();
    EXPECT_EQ(state.status, CL_SUCCESS);
  }
}

TEST_F(TerminateTest, CommandBuffers) {
  const command_buffers::Api api(platform());
  for (int round = 0; round < 10; ++round) {
    const Terminable context;
    const auto queue = make_queue(context, round % 2 ? kOutOfOrder : 0);
    const auto program = build(context, kSource);
    const auto endless = make_kernel(program, "endless");
    const auto add = make_kernel(program, "add");
    const auto begun = make_buffer(context, 4096, std::vector<cl_int>(1024).data());
    const auto sums = make_buffer(context, 4096, std::vector<cl_int>(1024).data());
    set_args(endless, begun);
    set_args(add, sums);
    cl_command_queue handle = queue;
    cl_int status = 1;
    const auto commands = api.create(1, &handle, nullptr, &status);
    ASSERT_EQ(status, CL_SUCCESS);
    const size_t one = 1, many = 1000;
    for (int i = 0; i < 8; ++i)
      ASSERT_EQ(api.kernel(commands, nullptr, nullptr, add, 1, nullptr, &many, nullptr, 0, nullptr,
                           nullptr, nullptr),
                CL_SUCCESS);
    ASSERT_EQ(api.kernel(commands, nullptr, nullptr, endless, 1, nullptr, &one, nullptr, 0, nullptr,
                         nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(api.finalize(commands), CL_SUCCESS);
    Event event, second;
    ASSERT_EQ(api.enqueue(1, &handle, commands, 0, nullptr, event.out()), CL_SUCCESS);
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, second.out()), CL_SUCCESS);
    ASSERT_EQ(clFlush(queue), CL_SUCCESS);
    std::this_thread::sleep_for(std::chrono::milliseconds(3 * round));
    ASSERT_EQ(context.terminate(), CL_SUCCESS);
    expect_status(event);
    expect_status(second);
    EXPECT_EQ(api.enqueue(1, &handle, commands, 0, nullptr, nullptr), CL_CONTEXT_TERMINATED_KHR);
    EXPECT_EQ(api.create(1, &handle, nullptr, &status), nullptr);
    EXPECT_EQ(status, CL_CONTEXT_TERMINATED_KHR);
    EXPECT_EQ(api.release(commands), CL_SUCCESS);
  }
}

// What another context does meanwhile is right, and a kernel of it that keeps all compute units
// busy does not keep the context from ending.
TEST_F(TerminateTest, OtherContextsGoOn) {
  const auto program = build(context_, R"(
    kernel void sum(global uint* x, int rounds) {
      uint v = (uint)get_global_id(0);
      for (int i = 0; i < rounds; ++i)
        v = v * 1664525u + 1013904223u;
      x[get_global_id(0)] = v;
    })");
  const auto kernel = make_kernel(program, "sum");
  const size_t items = 64 * units_ * 16;
  constexpr cl_int kRounds = 500'000;
  const auto buffer = make_buffer(context_, items * 4);
  set_args(kernel, buffer, kRounds);
  std::vector<cl_uint> expected(items);
  for (size_t i = 0; i < items; ++i)
    expected[i] = static_cast<cl_uint>(i);
  // v -> a v + c, so many times.
  cl_uint a = 1, c = 0;
  for (cl_int i = 0; i < kRounds; ++i) {
    a *= 1664525u;
    c = c * 1664525u + 1013904223u;
  }
  for (auto& v : expected)
    v = v * a + c;
  for (int round = 0; round < 5; ++round) {
    Event event;
    ASSERT_EQ(enqueue(queue_, kernel, {{items}, {64}, {}}, event.out()), CL_SUCCESS);
    ASSERT_EQ(clFlush(queue_), CL_SUCCESS);
    const Terminable context;
    const auto queue = make_queue(context);
    const auto other = make_buffer(context, 4);
    const auto own = build(context, kSource);
    const auto add = make_kernel(own, "add");
    set_args(add, other);
    std::vector<Event> events(20);
    for (auto& each : events)
      ASSERT_EQ(enqueue(queue, add, {{1}, {}, {}}, each.out()), CL_SUCCESS);
    ASSERT_EQ(context.terminate(), CL_SUCCESS);
    for (const auto& each : events) {
      (void)clWaitForEvents(1, each.address());
      const auto status = event_status(each);
      EXPECT_TRUE(status == CL_COMPLETE || status == CL_CONTEXT_TERMINATED_KHR) << status;
    }
    ASSERT_EQ(clWaitForEvents(1, event.address()), CL_SUCCESS);
    EXPECT_EQ(read<cl_uint>(queue_, buffer, items), expected);
  }
}

// Threads that enqueue all the time, in several queues, while another one terminates the context.
TEST_F(TerminateTest, ManyRounds) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const Terminable context;
    const auto program = build(context, kSource);
    const auto buffer = make_buffer(context, 1 << 20);
    std::atomic<int> unexpected{0};
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < 3; ++number)
      threads.emplace_back([&, number, queue = make_queue(context, number == 1 ? kOutOfOrder : 0),
                            kernel = make_kernel(program, "add")] {
        cl_int status = CL_SUCCESS;
        set_args(kernel, buffer);
        std::vector<Event> events;
        Event gate;
        for (unsigned i = 0; status == CL_SUCCESS; ++i) {
          if (i % 16 == 0)
            gate = Event(clCreateUserEvent(context, &status));
          if (status != CL_SUCCESS)
            break;
          const std::vector<cl_event> waits =
              i % 16 == 7 ? std::vector<cl_event>{gate} : std::vector<cl_event>{};
          Event event;
          switch (i % 4) {
          case 0:
          case 1:
            status = enqueue(queue, kernel, {{i % 3 ? size_t{64} : size_t{1} << 16}, {}, {}},
                             event.out(), waits);
            break;
          case 2: {
            const cl_int pattern = 1;
            status = clEnqueueFillBuffer(queue, buffer, &pattern, 4, 0, 1 << 20, 0, nullptr,
                                         event.out());
            break;
          }
          default:
            status =
                clEnqueueMarkerWithWaitList(queue, static_cast<cl_uint>(waits.size()),
                                            waits.empty() ? nullptr : waits.data(), event.out());
          }
          if (status == CL_SUCCESS)
            events.push_back(std::move(event));
          if (i % 16 == 15 && number != 2)
            (void)clSetUserEventStatus(gate, CL_COMPLETE);
        }
        if (status != CL_CONTEXT_TERMINATED_KHR)
          ++unexpected;
        for (const auto& event : events) {
          (void)clWaitForEvents(1, event.address());
          const auto last = event_status(event);
          if (last != CL_COMPLETE && last != CL_CONTEXT_TERMINATED_KHR)
            ++unexpected;
        }
        if (clFinish(queue) != CL_SUCCESS)
          ++unexpected;
      });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 4000));
    EXPECT_EQ(context.terminate(), CL_SUCCESS);
    for (auto& thread : threads)
      thread.join();
    EXPECT_EQ(unexpected, 0);
  }
}

} // namespace
} // namespace heddle::test
