// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the call of enqueue_kernel to the start of the child: a chain in which every kernel enqueues
// the next one, and a kernel that enqueues many.
#include "tests/bench/device_enqueue/bench.h"

namespace heddle::bench {
namespace {

constexpr const char* kSource = R"(
void next(global int* out, int left) {
  *out += 1;
  if (left > 0)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1, 1), ^{ next(out, left - 1); });
}
kernel void chain(global int* out, int count) { next(out, count - 1); }

void next_with_event(global int* out, int left) {
  *out += 1;
  if (left > 0) {
    clk_event_t event;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1, 1), 0, NULL, &event,
                   ^{ next_with_event(out, left - 1); });
    release_event(event);
  }
}
kernel void event_chain(global int* out, int count) { next_with_event(out, count - 1); }

kernel void many(global int* out, int count) {
  int done = 0;
  for (int i = 0; i < count; ++i)
    done += enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1, 1),
                           ^{ atomic_inc(out); }) == CLK_SUCCESS;
  atomic_add(out, count - done);
}
kernel void one(global int* out, int count) { *out += 1; }
)";

} // namespace

void run_latency(const Bench& bench) {
  const auto program = bench.build_source(kSource);
  const cl_int count = bench.small ? 100 : 20000;
  const auto out = make_buffer(bench.context, 4);
  const cl_int zero = 0;
  const auto clear = [&] {
    check(clEnqueueFillBuffer(bench.queue, out, &zero, 4, 0, 4, 0, nullptr, nullptr), "fill");
  };
  for (const char* name : {"chain", "event_chain", "many"}) {
    const auto kernel = make_kernel(program, name);
    set_args(kernel, out, count);
    const auto time = bench.least_time(clear, [&] {
      check(enqueue(bench.queue, kernel, {{1}, {1}, {}}), name);
    });
    require(read<cl_int>(bench.queue, out, 1)[0] == count, name);
    bench.report(std::string("child of ") + name, time / count);
  }
  const auto kernel = make_kernel(program, "one");
  set_args(kernel, out, count);
  const auto time = bench.least_time(clear, [&] {
    for (cl_int i = 0; i < count; ++i)
      check(enqueue(bench.queue, kernel, {{1}, {1}, {}}), "one");
  });
  require(read<cl_int>(bench.queue, out, 1)[0] == count, "one");
  bench.report("the same from the host", time / count);
}

} // namespace heddle::bench
