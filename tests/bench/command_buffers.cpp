// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replays of command buffers beside the same commands enqueued one by one.
//
//   command_buffer_bench [--lines] [--small]
//
// Nanoseconds for each command, or for each iteration; the least of several rounds, except for what
// is first.
#include "conformance/programs/command_buffer_api.h"
#include "tests/api/support.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::test {
namespace {

namespace cb = command_buffers;

const char* const kSource = R"(
kernel void empty(global float* x) {}
kernel void work(global float* x, int rounds) {
  size_t i = get_global_id(0);
  float v = x[i];
  for (int k = 0; k < rounds; ++k) v = v * 0.999f + 0.001f;
  x[i] = v;
}
kernel void multiply(global const float* p, global float* q, int n) { // a five-point stencil
  int i = get_global_id(0), x = i % n, y = i / n;
  float v = 4 * p[i];
  if (x > 0) v -= p[i - 1];
  if (x < n - 1) v -= p[i + 1];
  if (y > 0) v -= p[i - n];
  if (y < n - 1) v -= p[i + n];
  q[i] = v;
}
kernel void dot_parts(global const float* a, global const float* b, global float* parts, local float* sums) {
  int l = get_local_id(0);
  sums[l] = a[get_global_id(0)] * b[get_global_id(0)];
  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) sums[l] += sums[l + s];
  }
  if (l == 0) parts[get_group_id(0)] = sums[0];
}
kernel void add_parts(global const float* parts, global float* result, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) sum += parts[i];
  *result = sum;
}
kernel void advance(global float* x, global float* r, global const float* p, global const float* q,
                    global const float* rr, global const float* pq) {
  int i = get_global_id(0);
  float a = *rr / *pq;
  x[i] += a * p[i];
  r[i] -= a * q[i];
}
kernel void turn(global float* p, global const float* r, global const float* after, global const float* before) {
  int i = get_global_id(0);
  p[i] = r[i] + *after / *before * p[i];
}
kernel void keep(global float* to, global const float* from) { *to = *from; }
)";

double seconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

// What is recorded or enqueued.
struct Step {
  cl_kernel kernel;
  size_t global, local;
  std::vector<size_t> after; // steps that it waits for, out of order
};

struct Bench {
  bool small = false, lines = false;
  Context context = make_context();
  Queue queue = make_queue(context);
  Queue free = make_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Program program = build(context, kSource);
  cb::Api api{platform()};

  void report(const std::string& what, double nanoseconds) const {
    std::printf(lines ? "%s\t%.1f\n" : "%-52s %12.1f\n", what.c_str(), nanoseconds);
    std::fflush(stdout);
  }
  double least(int rounds, const std::function<void()>& work) const {
    auto best = std::numeric_limits<double>::max();
    for (int i = 0; i < (small ? 1 : rounds); ++i) {
      const double start = seconds();
      work();
      best = std::min(best, seconds() - start);
    }
    return best * 1e9;
  }

  cb::BufferHandle record(cl_command_queue in, const std::vector<Step>& steps, bool is_free,
                          cb::CommandHandle* handle = nullptr) const {
    cl_int error = CL_SUCCESS;
    const cl_properties mutables[] = {cb::FLAGS, cb::MUTABLE, 0};
    const auto buffer = api.create(1, &in, handle ? mutables : nullptr, &error);
    check(error, "clCreateCommandBufferKHR");
    std::vector<cb::SyncPoint> points(steps.size());
    for (size_t i = 0; i < steps.size(); ++i) {
      std::vector<cb::SyncPoint> waits;
      if (is_free)
        for (const auto other : steps[i].after)
          waits.push_back(points[other]);
      check(api.kernel(buffer, nullptr, nullptr, steps[i].kernel, 1, nullptr, &steps[i].global,
                       steps[i].local ? &steps[i].local : nullptr,
                       static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                       &points[i], i == 0 ? handle : nullptr),
            "clCommandNDRangeKernelKHR");
    }
    check(api.finalize(buffer), "clFinalizeCommandBufferKHR");
    return buffer;
  }
  void enqueue_all(cl_command_queue in, const std::vector<Step>& steps, bool is_free) const {
    std::vector<cl_event> events(is_free ? steps.size() : 0);
    for (size_t i = 0; i < steps.size(); ++i) {
      std::vector<cl_event> waits;
      if (is_free)
        for (const auto other : steps[i].after)
          waits.push_back(events[other]);
      check(clEnqueueNDRangeKernel(
                in, steps[i].kernel, 1, nullptr, &steps[i].global,
                steps[i].local ? &steps[i].local : nullptr, static_cast<cl_uint>(waits.size()),
                waits.empty() ? nullptr : waits.data(), is_free ? &events[i] : nullptr),
            "clEnqueueNDRangeKernel");
    }
    check(clFinish(in), "clFinish");
    for (auto* event : events)
      clReleaseEvent(event);
  }
  void replay(cl_command_queue in, cb::BufferHandle buffer) const {
    check(api.enqueue(0, nullptr, buffer, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
    check(clFinish(in), "clFinish");
  }
  // Both ways, in nanoseconds for each of `count`.
  void compare(const std::string& what, const std::vector<Step>& steps, bool is_free, double count,
               int rounds) const {
    const cl_command_queue in = is_free ? free : queue;
    enqueue_all(in, steps, is_free);
    const auto buffer = record(in, steps, is_free);
    report(what + ", first replay", least(1, [&] { replay(in, buffer); }) / count);
    for (int i = 0; i < (small ? 0 : 30); ++i) // settles
      replay(in, buffer);
    report(what + ", enqueued", least(rounds, [&] { enqueue_all(in, steps, is_free); }) / count);
    report(what + ", replayed", least(rounds, [&] { replay(in, buffer); }) / count);
    api.release(buffer);
  }

  void empty_kernels() const {
    const auto memory = make_buffer(context, 4096);
    const auto kernel = make_kernel(program, "empty");
    set_args(kernel, memory);
    for (const size_t count : {size_t{1000}, size_t{10000}}) {
      const std::vector<Step> steps(small ? 10 : count, Step{kernel, 1, 1, {}});
      compare(std::to_string(count) + " empty kernels", steps, false,
              static_cast<double>(steps.size()), 100);
    }
  }
  // Kernels of about 5 and 50 us on one thread.
  void chains() const {
    const auto memory = make_buffer(context, size_t{1} << 20);
    for (const auto& [what, rounds] : {std::pair("5 us", 20), std::pair("50 us", 400)}) {
      const auto kernel = make_kernel(program, "work");
      set_args(kernel, memory, rounds);
      const std::vector<Step> steps(20, Step{kernel, 2048, 64, {}});
      compare(std::string("20 kernels of ") + what, steps, false, 20, 100);
    }
  }
  void branches() const {
    std::vector<Buffer> memory;
    std::vector<Kernel> kernels;
    std::vector<Step> steps;
    for (size_t branch = 0; branch < 8; ++branch) {
      memory.push_back(make_buffer(context, size_t{1} << 16));
      kernels.push_back(make_kernel(program, "work"));
      set_args(kernels.back(), memory.back(), 100);
      for (size_t i = 0; i < 10; ++i)
        steps.push_back({kernels.back(), 2048, 64,
                         i == 0 ? std::vector<size_t>{} : std::vector<size_t>{steps.size() - 1}});
    }
    compare("8 branches of 10 kernels", steps, true, static_cast<double>(steps.size()), 50);
  }
  // One iteration of conjugate gradients on n x n points: seven kernels.
  void conjugate_gradients() const {
    for (const size_t n : {size_t{64}, size_t{512}}) {
      const size_t points = n * n, groups = points / 64;
      const std::vector<float> ones(points, 1.0f);
      const auto x = make_buffer(context, points * 4, ones.data()),
                 r = make_buffer(context, points * 4, ones.data()),
                 p = make_buffer(context, points * 4, ones.data()),
                 q = make_buffer(context, points * 4, ones.data()),
                 parts = make_buffer(context, groups * 4),
                 rr = make_buffer(context, 4, ones.data()),
                 pq = make_buffer(context, 4, ones.data()),
                 after = make_buffer(context, 4, ones.data());
      const auto multiply = make_kernel(program, "multiply"),
                 dot = make_kernel(program, "dot_parts"), add = make_kernel(program, "add_parts"),
                 dot2 = make_kernel(program, "dot_parts"), add2 = make_kernel(program, "add_parts"),
                 advance = make_kernel(program, "advance"), turn = make_kernel(program, "turn"),
                 keep = make_kernel(program, "keep");
      set_args(multiply, p, q, static_cast<cl_int>(n));
      set_args(dot, p, q, parts, Local{64 * 4});
      set_args(add, parts, pq, static_cast<cl_int>(groups));
      set_args(advance, x, r, p, q, rr, pq);
      set_args(dot2, r, r, parts, Local{64 * 4});
      set_args(add2, parts, after, static_cast<cl_int>(groups));
      set_args(turn, p, r, after, rr);
      set_args(keep, rr, after);
      const std::vector<Step> steps{
          {multiply, points, 64, {}}, {dot, points, 64, {}},  {add, 1, 1, {}},
          {advance, points, 64, {}},  {dot2, points, 64, {}}, {add2, 1, 1, {}},
          {turn, points, 64, {}},     {keep, 1, 1, {}}};
      compare("conjugate gradients, " + std::to_string(n) + " x " + std::to_string(n), steps, false,
              1, 200);
    }
  }
  void updates() const {
    if (!api.update)
      return;
    const auto memory = make_buffer(context, 4096);
    const auto kernel = make_kernel(program, "work");
    set_args(kernel, memory, 0);
    const std::vector<Step> steps(1, Step{kernel, 1, 1, {}});
    cb::CommandHandle handle = nullptr;
    const auto buffer = record(queue, steps, false, &handle);
    const int count = small ? 10 : 1000;
    const auto set = [&](cl_int value) {
      const cb::DispatchArgument argument{1, sizeof value, &value};
      cb::DispatchConfig config{};
      config.command = handle;
      config.num_args = 1;
      config.arg_list = &argument;
      const cl_uint type = cb::UPDATE_DISPATCH;
      const void* configs[] = {&config};
      check(api.update(buffer, 1, &type, configs), "clUpdateMutableCommandsKHR");
    };
    const auto with = [&](bool updates, bool waits) {
      return least(50,
                   [&] {
                     for (int i = 0; i < count; ++i) {
                       if (updates)
                         set(i % 2);
                       check(api.enqueue(0, nullptr, buffer, 0, nullptr, nullptr), "enqueue");
                       if (waits)
                         check(clFinish(queue), "clFinish");
                     }
                     check(clFinish(queue), "clFinish");
                   }) /
             count;
    };
    for (const bool waits : {true, false}) {
      const std::string how = waits ? ", one by one" : ", many in flight";
      with(true, waits);
      report("replay of one kernel" + how, with(false, waits));
      report("replay of one kernel with an updated argument" + how, with(true, waits));
    }
    report("clUpdateMutableCommandsKHR of one argument", least(50, [&] {
                                                           for (int i = 0; i < count; ++i)
                                                             set(i % 2);
                                                         }) / count);
    api.release(buffer);
  }
};

} // namespace
} // namespace heddle::test

int main(int count, char** words) try {
  using namespace heddle::test;
  if (device_text(CL_DEVICE_EXTENSIONS).find("cl_khr_command_buffer") == std::string::npos) {
    std::puts("the device has no command buffers");
    return 0;
  }
  Bench bench;
  std::string_view only;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    bench.small |= word == "--small";
    bench.lines |= word == "--lines";
    if (word.starts_with("--only="))
      only = word.substr(7);
  }
  const struct {
    std::string_view name;
    void (Bench::*run)() const;
  } parts[] = {{"empty", &Bench::empty_kernels},
               {"chains", &Bench::chains},
               {"branches", &Bench::branches},
               {"gradients", &Bench::conjugate_gradients},
               {"updates", &Bench::updates}};
  for (const auto& part : parts)
    if (only.empty() || only == part.name)
      (bench.*part.run)();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
