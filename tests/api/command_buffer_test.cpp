// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replays of command buffers on several threads: failures, order, updates of what is in flight, and
// lifetimes. What the specification says of each call is in conformance/programs.
#include "conformance/programs/command_buffer_api.h"
#include "tests/api/api_test.h"
#include "tests/api/device_queue.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <thread>

namespace heddle::test {
namespace {

using namespace command_buffers;

class CommandBufferTest : public ApiTest {
 protected:
  const Api api_{platform()};
  const Program program_ =
      build(context_, "kernel void step(global int* x, int factor, int term) {"
                      "  size_t i = get_global_id(0); x[i] = factor * x[i] + term; }"
                      "kernel void work(global uint* x, int rounds) {"
                      "  size_t i = get_global_id(0); uint v = x[i];"
                      "  for (int k = 0; k < rounds; ++k) v = v * 1664525u + 1013904223u;"
                      "  x[i] = v; }"
                      "kernel void bad(global int* x) { x[get_global_id(0) + (1ul << 40)] = 1; }"
                      "kernel void say(int what) { printf(\"said %d\\n\", what); }");

  struct Deleter {
    const Api* api;
    void operator()(BufferHandle buffer) const { api->release(buffer); }
  };
  using Recorded = std::unique_ptr<std::remove_pointer_t<BufferHandle>, Deleter>;
  Recorded create(const std::vector<cl_command_queue>& queues, cl_bitfield flags = 0) {
    cl_int error = CL_SUCCESS;
    const cl_properties properties[] = {FLAGS, flags, 0};
    const auto made =
        api_.create(static_cast<cl_uint>(queues.size()), queues.data(), properties, &error);
    check(error, "clCreateCommandBufferKHR");
    return Recorded(made, Deleter{&api_});
  }
  SyncPoint record(const Recorded& into, cl_kernel kernel, size_t global,
                   const std::vector<SyncPoint>& waits = {}, CommandHandle* handle = nullptr,
                   cl_command_queue in = nullptr) {
    SyncPoint point = 0;
    check(api_.kernel(into.get(), in, nullptr, kernel, 1, nullptr, &global, nullptr,
                      static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                      &point, handle),
          "clCommandNDRangeKernelKHR");
    return point;
  }
  void finalize(const Recorded& buffer) {
    check(api_.finalize(buffer.get()), "clFinalizeCommandBufferKHR");
  }
  void replay(const Recorded& buffer, cl_event* event = nullptr, cl_event wait = nullptr) {
    check(api_.enqueue(0, nullptr, buffer.get(), wait ? 1 : 0, wait ? &wait : nullptr, event),
          "clEnqueueCommandBufferKHR");
  }
  cl_int set_value(const Recorded& buffer, CommandHandle command, cl_uint index, cl_int value) {
    const DispatchArgument argument{index, sizeof value, &value};
    DispatchConfig config{};
    config.command = command;
    config.num_args = 1;
    config.arg_list = &argument;
    const cl_uint type = UPDATE_DISPATCH;
    const void* configs[] = {&config};
    return api_.update(buffer.get(), 1, &type, configs);
  }
};

TEST_F(CommandBufferTest, AFaultEndsTheReplayAndNothingElse) {
  for (const cl_command_queue_properties order :
       {cl_command_queue_properties{0},
        cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
    const auto queue = make_queue(context_, order);
    const auto before = make_buffer(context_, 64), after = make_buffer(context_, 64);
    const cl_int zero = 0;
    for (const auto& buffer : {before.get(), after.get()})
      check(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, 64, 0, nullptr, nullptr),
            "fill");
    check(clFinish(queue), "clFinish");
    const auto step = make_kernel(program_, "step"), bad = make_kernel(program_, "bad");
    const auto recorded = create({queue});
    set_args(step, before, 1, 1);
    const auto first = record(recorded, step, 16);
    set_args(bad, before);
    const auto second = record(recorded, bad, 16, {first});
    set_args(step, after, 1, 1);
    record(recorded, step, 16, {second});
    finalize(recorded);
    for (int i = 0; i < 3; ++i) {
      Event event;
      replay(recorded, event.out());
      EXPECT_EQ(clWaitForEvents(1, event.address()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
      EXPECT_EQ(event_status(event), CL_OUT_OF_RESOURCES);
    }
    EXPECT_EQ(read<cl_int>(queue, before, 16), std::vector<cl_int>(16, 3));
    EXPECT_EQ(read<cl_int>(queue, after, 16), std::vector<cl_int>(16, 0));
  }
}

// Independent chains of which one fails: the others end, and nothing hangs.
TEST_F(CommandBufferTest, AFaultAmongIndependentChains) {
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto work = make_kernel(program_, "work"), bad = make_kernel(program_, "bad");
  const auto recorded = create({queue});
  std::vector<Buffer> buffers;
  std::vector<SyncPoint> ends;
  for (int chain = 0; chain < 8; ++chain) {
    buffers.push_back(make_buffer(context_, 4096 * 4));
    set_args(work, buffers.back(), 200);
    std::vector<SyncPoint> last;
    for (int i = 0; i < 6; ++i)
      last = {record(recorded, work, 4096, last)};
    if (chain == 5) {
      set_args(bad, buffers.back());
      last = {record(recorded, bad, 1, last)};
    }
    ends.push_back(last[0]);
  }
  record(recorded, work, 4096, ends);
  finalize(recorded);
  for (int i = 0; i < 20; ++i) {
    Event event;
    replay(recorded, event.out());
    EXPECT_EQ(clWaitForEvents(1, event.address()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
}

// Random graphs of kernels of all sizes and of transfers, on several threads, beside what a
// sequence of the same operations on the host gives.
TEST_F(CommandBufferTest, RandomGraphs) {
  constexpr size_t kBuffers = 12, kItems = 1 << 14;
  const auto step = make_kernel(program_, "step");
  const auto first = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto second = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto third = make_queue(context_);
  std::mt19937 random(7);
  for (int graph = 0; graph < 20; ++graph) {
    std::vector<cl_command_queue> queues{first};
    if (graph % 3 == 1)
      queues = {first, second};
    if (graph % 3 == 2)
      queues = {third, first};
    std::vector<Buffer> buffers;
    std::vector<std::vector<cl_int>> expected(kBuffers, std::vector<cl_int>(kItems, 0));
    for (const auto& contents : expected)
      buffers.push_back(make_buffer(context_, kItems * 4, contents.data()));
    const auto recorded = create(queues);
    std::vector<std::vector<SyncPoint>> last(kBuffers); // that access a buffer
    struct Operation {
      size_t to, from;
      cl_int factor, term; // factor 0: a copy
      size_t items;
    };
    std::vector<Operation> operations;
    for (int i = 0; i < 60; ++i) {
      const Operation operation{random() % kBuffers, random() % kBuffers,
                                random() % 3 == 0 ? 0 : static_cast<cl_int>(random() % 5 + 1),
                                static_cast<cl_int>(random() % 100), size_t{1} << (random() % 15)};
      auto waits = last[operation.to];
      const auto in = queues[random() % queues.size()];
      SyncPoint point = 0;
      if (operation.factor != 0) {
        set_args(step, buffers[operation.to], operation.factor, operation.term);
        point = record(recorded, step, operation.items, waits, nullptr, in);
      } else {
        if (operation.to == operation.from)
          continue;
        waits.insert(waits.end(), last[operation.from].begin(), last[operation.from].end());
        check(api_.copy_buffer(recorded.get(), in, nullptr, buffers[operation.from],
                               buffers[operation.to], 0, 0, operation.items * 4,
                               static_cast<cl_uint>(waits.size()),
                               waits.empty() ? nullptr : waits.data(), &point, nullptr),
              "clCommandCopyBufferKHR");
        last[operation.from].push_back(point);
      }
      last[operation.to] = {point};
      operations.push_back(operation);
    }
    finalize(recorded);
    for (int replays = 0; replays < 5; ++replays) {
      Event event;
      replay(recorded, event.out());
      check(clWaitForEvents(1, event.address()), "clWaitForEvents");
      for (const auto& o : operations)
        for (size_t i = 0; i < o.items; ++i)
          expected[o.to][i] =
              o.factor == 0 ? expected[o.from][i]
                            : static_cast<cl_int>(static_cast<cl_uint>(o.factor) *
                                                      static_cast<cl_uint>(expected[o.to][i]) +
                                                  static_cast<cl_uint>(o.term));
      for (size_t b = 0; b < kBuffers; ++b)
        ASSERT_EQ(read<cl_int>(queue_, buffers[b], kItems), expected[b])
            << "graph " << graph << ", replay " << replays << ", buffer " << b;
    }
  }
}

// Kernels and transfers that several threads share, in chains and side by side.
TEST_F(CommandBufferTest, LargeCommands) {
  constexpr size_t kItems = 1 << 20;
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto step = make_kernel(program_, "step");
  const auto a = make_buffer(context_, kItems * 4), b = make_buffer(context_, kItems * 4);
  const auto recorded = create({queue});
  const cl_int seven = 7;
  SyncPoint filled = 0, copied = 0;
  check(api_.fill_buffer(recorded.get(), nullptr, nullptr, a, &seven, sizeof seven, 0, kItems * 4,
                         0, nullptr, &filled, nullptr),
        "fill");
  set_args(step, a, 2, 1);
  auto last = record(recorded, step, kItems, {filled});
  for (int i = 0; i < 5; ++i)
    last = record(recorded, step, kItems, {last});
  check(api_.copy_buffer(recorded.get(), nullptr, nullptr, a, b, 0, 0, kItems * 4, 1, &last,
                         &copied, nullptr),
        "copy");
  set_args(step, b, 1, 5);
  record(recorded, step, kItems, {copied});
  record(recorded, step, kItems / 2, {copied});
  finalize(recorded);
  cl_int expected = 7;
  for (int i = 0; i < 6; ++i)
    expected = 2 * expected + 1;
  for (int i = 0; i < 10; ++i) {
    replay(recorded);
    check(clFinish(queue), "clFinish");
    const auto end = read<cl_int>(queue, b, 1000, kItems - 1000);
    ASSERT_EQ(end, std::vector<cl_int>(1000, expected + 5));
  }
}

TEST_F(CommandBufferTest, PrintsInEachReplay) {
  const auto say = make_kernel(program_, "say");
  const auto recorded = create({queue_});
  for (cl_int i = 0; i < 3; ++i) {
    set_args(say, i);
    record(recorded, say, 1);
  }
  finalize(recorded);
  testing::internal::CaptureStdout();
  replay(recorded);
  replay(recorded);
  check(clFinish(queue_), "clFinish");
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "said 0\nsaid 1\nsaid 2\nsaid 0\nsaid 1\nsaid 2\n");
}

// A kernel that enqueues kernels is complete when they are.
TEST_F(CommandBufferTest, KernelsThatEnqueueKernels) {
  const auto device_queue = make_device_queue(context_, CL_QUEUE_ON_DEVICE_DEFAULT);
  const auto program =
      build(context_,
            "kernel void parent(global int* x, int depth) {"
            "  queue_t q = get_default_queue();"
            "  for (int i = 0; i < 4; ++i)"
            "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(64), ^{"
            "      atomic_add(x + get_global_id(0), 1); });"
            "}"
            "kernel void twice(global int* x) { x[get_global_id(0)] *= 2; }",
            "-cl-std=CL3.0");
  const auto parent = make_kernel(program, "parent"), twice = make_kernel(program, "twice");
  const std::vector<cl_int> zeros(64, 0);
  const auto buffer = make_buffer(context_, 256, zeros.data());
  set_args(parent, buffer, 1);
  set_args(twice, buffer);
  const auto recorded = create({queue_});
  record(recorded, parent, 1);
  record(recorded, twice, 64);
  record(recorded, parent, 2);
  finalize(recorded);
  cl_int expected = 0;
  for (int i = 0; i < 5; ++i) {
    replay(recorded);
    expected = (expected + 4) * 2 + 8;
  }
  EXPECT_EQ(read<cl_int>(queue_, buffer, 64), std::vector<cl_int>(64, expected));
}

// Updates between replays that are all in flight; old versions are not used any more, and not lost.
TEST_F(CommandBufferTest, UpdatesOfReplaysInFlight) {
  const auto step = make_kernel(program_, "step");
  const std::vector<cl_int> zeros(64, 0);
  const auto buffer = make_buffer(context_, 256, zeros.data());
  set_args(step, buffer, 3, 0);
  const auto recorded = create({queue_}, MUTABLE);
  CommandHandle handle = nullptr;
  record(recorded, step, 64, {}, &handle);
  for (int i = 0; i < 20; ++i)
    record(recorded, step, 64);
  finalize(recorded);
  cl_uint expected = 0;
  for (cl_int i = 0; i < 2000; ++i) {
    ASSERT_EQ(set_value(recorded, handle, 2, i), CL_SUCCESS);
    replay(recorded);
    expected = 3 * expected + static_cast<cl_uint>(i);
    for (int k = 0; k < 20; ++k)
      expected = 3 * expected;
    if (i % 97 == 0)
      check(clFinish(queue_), "clFinish");
  }
  EXPECT_EQ(read<cl_int>(queue_, buffer, 64),
            std::vector<cl_int>(64, static_cast<cl_int>(expected)));
}

// Updates of some of the kernels, of values and of memory, while all replays wait. In order; out of
// order each replay waits for the one before, also if several are enqueued between two updates.
TEST_F(CommandBufferTest, RandomUpdatesWhileAllReplaysWait) {
  constexpr size_t kKernels = 6;
  std::mt19937 random(7);
  const auto step = make_kernel(program_, "step");
  const std::vector<cl_int> zeros(1, 0);
  for (const cl_command_queue_properties order :
       {cl_command_queue_properties{0},
        cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
    const auto queue = make_queue(context_, order);
    std::vector<Buffer> buffers;
    for (size_t i = 0; i < 2 * kKernels; ++i)
      buffers.push_back(make_buffer(context_, sizeof(cl_int), zeros.data()));
    const auto recorded = create({queue}, MUTABLE | SIMULTANEOUS_USE);
    std::vector<CommandHandle> handles(kKernels);
    struct Model {
      size_t buffer;
      cl_uint factor, term;
    };
    std::vector<Model> models(kKernels);
    std::vector<cl_uint> expected(buffers.size(), 0);
    for (size_t i = 0; i < kKernels; ++i) {
      set_args(step, buffers[2 * i], cl_int{3}, cl_int{1});
      record(recorded, step, 1, {}, &handles[i]);
      models[i] = {2 * i, 3, 1};
    }
    finalize(recorded);
    const auto gate = Event(clCreateUserEvent(context_, nullptr));
    Event before;
    for (int round = 0; round < 400; ++round) {
      for (size_t i = 0; i < kKernels; ++i) {
        if (random() % (i + 1) != 0) // the first one in each round, others seldom
          continue;
        auto& model = models[i];
        if (random() % 8 == 0) {
          model.buffer = 2 * i + random() % 2;
          const DispatchArgument argument{0, sizeof(cl_mem), buffers[model.buffer].address()};
          DispatchConfig config{};
          config.command = handles[i];
          config.num_args = 1;
          config.arg_list = &argument;
          const cl_uint type = UPDATE_DISPATCH;
          const void* configs[] = {&config};
          ASSERT_EQ(api_.update(recorded.get(), 1, &type, configs), CL_SUCCESS);
        }
        model.term = random() % 1000;
        ASSERT_EQ(set_value(recorded, handles[i], 2, static_cast<cl_int>(model.term)), CL_SUCCESS);
      }
      Event done;
      replay(recorded, done.out(), round == 0 ? gate : order == 0 ? nullptr : before.get());
      before = std::move(done);
      for (const auto& model : models)
        expected[model.buffer] = model.factor * expected[model.buffer] + model.term;
    }
    check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    check(clFinish(queue), "clFinish");
    for (size_t i = 0; i < buffers.size(); ++i)
      EXPECT_EQ(read<cl_int>(queue_, buffers[i], 1)[0], static_cast<cl_int>(expected[i])) << i;
  }
}

// Everything may be released while replays wait.
TEST_F(CommandBufferTest, IsKeptByItsReplays) {
  Event done;
  auto gate = Event(clCreateUserEvent(context_, nullptr));
  const std::vector<cl_int> zeros(64, 0);
  const auto buffer = make_buffer(context_, 256, zeros.data());
  {
    const auto step = make_kernel(program_, "step");
    const auto queue = make_queue(context_);
    set_args(step, buffer, 1, 2);
    const auto recorded = create({queue}, MUTABLE);
    CommandHandle handle = nullptr;
    record(recorded, step, 64, {}, &handle);
    finalize(recorded);
    replay(recorded, nullptr, gate);
    ASSERT_EQ(set_value(recorded, handle, 2, 5), CL_SUCCESS);
    replay(recorded, done.out());
  }
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  check(clWaitForEvents(1, done.address()), "clWaitForEvents");
  EXPECT_EQ(read<cl_int>(queue_, buffer, 64), std::vector<cl_int>(64, 7));
}

// Several host threads replay one command buffer, each on a queue of its own.
TEST_F(CommandBufferTest, ReplaysFromSeveralThreads) {
  const auto work = make_kernel(program_, "work");
  const auto buffer = make_buffer(context_, 4096 * 4);
  set_args(work, buffer, 50);
  const auto recorded = create({queue_}, SIMULTANEOUS_USE);
  for (int i = 0; i < 5; ++i)
    record(recorded, work, 4096);
  finalize(recorded);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const auto own = make_queue(context_, t % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      for (int i = 0; i < 50; ++i) {
        cl_command_queue handle = own;
        Event event;
        if (api_.enqueue(1, &handle, recorded.get(), 0, nullptr, event.out()) != CL_SUCCESS ||
            (i % 3 == 0 && clWaitForEvents(1, event.address()) != CL_SUCCESS))
          ++failures;
      }
      if (clFinish(own) != CL_SUCCESS)
        ++failures;
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(CommandBufferTest, EmptyRanges) {
  const auto step = make_kernel(program_, "step");
  const std::vector<cl_int> zeros(64, 0);
  const auto buffer = make_buffer(context_, 256, zeros.data());
  set_args(step, buffer, 1, 2);
  const auto recorded = create({queue_});
  record(recorded, step, 0);
  record(recorded, step, 64);
  finalize(recorded);
  replay(recorded);
  EXPECT_EQ(read<cl_int>(queue_, buffer, 64), std::vector<cl_int>(64, 2));
}

} // namespace
} // namespace heddle::test
