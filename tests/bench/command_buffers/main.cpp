// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replays of command buffers beside the same commands enqueued one by one.
//
//   command_buffer_bench [--lines] [--small] [--only=PART]     parts: empty, chains, branches,
//                                                              gradients, updates
//
// Nanoseconds for each command, or for each iteration; the least of several rounds, and the median
// of several programs for what is first in a program. Results are checked.
#include "conformance/programs/command_buffer_api.h"
#include "tests/bench/command_buffers/workloads.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::bench {
namespace {

namespace cb = command_buffers;

double nanoseconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::nano>(Clock::now().time_since_epoch()).count();
}

double time_of(const std::function<void()>& work) {
  const double start = nanoseconds();
  work();
  return nanoseconds() - start;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

class Bench {
 public:
  Bench(bool small, bool lines) : small_(small), lines_(lines) {}

  void run(std::string_view only) {
    const struct {
      std::string_view part;
      MakeWorkload make;
    } all[] = {{"empty", thousand_empty_kernels},
               {"empty", ten_thousand_empty_kernels},
               {"chains", chain_of_5_us},
               {"chains", chain_of_50_us},
               {"branches", eight_branches},
               {"gradients", small_conjugate_gradients},
               {"gradients", large_conjugate_gradients}};
    (void)build_new(); // what is first in a process is no subject here
    for (const auto& [part, make] : all)
      if (only.empty() || only == part) {
        compare_first(make);
        compare(make(context_, program_, small_));
      }
    if (api_.update && (only.empty() || only == "updates"))
      updates();
  }

 private:
  void report(const std::string& what, double value) const {
    std::printf(lines_ ? "%s\t%.1f\n" : "%-60s %12.1f\n", what.c_str(), value);
    std::fflush(stdout);
  }
  cl_command_queue queue_of(const Workload& workload) const {
    return workload.out_of_order ? free_ : queue_;
  }

  // A program that no cache has.
  Program build_new() {
    using Clock = std::chrono::system_clock;
    const auto number = Clock::now().time_since_epoch().count();
    return build(context_, "constant long kNumber = " + std::to_string(number) + ";" + kSource +
                               "kernel void number(global long* x) { *x = kNumber; }");
  }

  cb::BufferHandle record(const Workload& workload, cb::CommandHandle* handle = nullptr) const {
    const auto& steps = workload.steps;
    const cl_command_queue queue = queue_of(workload);
    cl_int error = CL_SUCCESS;
    const cl_properties mutables[] = {cb::FLAGS, cb::MUTABLE, 0};
    const auto buffer = api_.create(1, &queue, handle ? mutables : nullptr, &error);
    check(error, "clCreateCommandBufferKHR");
    std::vector<cb::SyncPoint> points(steps.size()), waits;
    for (size_t i = 0; i < steps.size(); ++i) {
      waits.clear();
      if (workload.out_of_order)
        for (const auto other : steps[i].after)
          waits.push_back(points[other]);
      check(api_.kernel(buffer, nullptr, nullptr, steps[i].kernel, 1, nullptr, &steps[i].global,
                        &steps[i].local, static_cast<cl_uint>(waits.size()),
                        waits.empty() ? nullptr : waits.data(), &points[i],
                        i == 0 ? handle : nullptr),
            "clCommandNDRangeKernelKHR");
    }
    check(api_.finalize(buffer), "clFinalizeCommandBufferKHR");
    return buffer;
  }
  void enqueue_all(const Workload& workload) const {
    const auto& steps = workload.steps;
    const cl_command_queue queue = queue_of(workload);
    std::vector<cl_event> events(workload.out_of_order ? steps.size() : 0), waits;
    for (size_t i = 0; i < steps.size(); ++i) {
      waits.clear();
      if (workload.out_of_order)
        for (const auto other : steps[i].after)
          waits.push_back(events[other]);
      check(clEnqueueNDRangeKernel(queue, steps[i].kernel, 1, nullptr, &steps[i].global,
                                   &steps[i].local, static_cast<cl_uint>(waits.size()),
                                   waits.empty() ? nullptr : waits.data(),
                                   workload.out_of_order ? &events[i] : nullptr),
            "clEnqueueNDRangeKernel");
    }
    check(clFinish(queue), "clFinish");
    for (auto* event : events)
      clReleaseEvent(event);
  }
  void replay(const Workload& workload, cb::BufferHandle buffer) const {
    check(api_.enqueue(0, nullptr, buffer, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
    check(clFinish(queue_of(workload)), "clFinish");
  }

  // What is first in programs that are new.
  void compare_first(MakeWorkload make) {
    std::vector<double> launches, records, replays;
    std::string name;
    double parts = 1;
    for (int i = 0; i < (small_ ? 1 : 7); ++i) {
      {
        const auto program = build_new();
        const auto workload = make(context_, program, small_);
        workload.reset(queue_of(workload));
        launches.push_back(time_of([&] { enqueue_all(workload); }));
        workload.check(queue_of(workload), 1);
        name = workload.name;
        parts = workload.parts;
      }
      const auto program = build_new();
      const auto workload = make(context_, program, small_);
      workload.reset(queue_of(workload));
      cb::BufferHandle buffer = nullptr;
      records.push_back(time_of([&] { buffer = record(workload); }));
      replays.push_back(time_of([&] { replay(workload, buffer); }));
      workload.check(queue_of(workload), 1);
      api_.release(buffer);
    }
    report(name + ", first launches", median(launches) / parts);
    report(name + ", recording", median(records) / parts);
    report(name + ", first replay", median(replays) / parts);
  }

  // In turn, after what both need is there.
  void compare(const Workload& workload) const {
    const cl_command_queue queue = queue_of(workload);
    const auto buffer = record(workload);
    double enqueued = std::numeric_limits<double>::max(), replayed = enqueued;
    constexpr int kRuns = 10; // between two checks
    const int rounds = small_ ? 1 : workload.rounds / kRuns, unmeasured = small_ ? 0 : 5;
    for (int round = -unmeasured; round < rounds; ++round) {
      const auto measure = [&](double& least, const std::function<void()>& work) {
        workload.reset(queue);
        for (int i = 0; i < kRuns; ++i) {
          const double time = time_of(work);
          if (round >= 0)
            least = std::min(least, time);
        }
        workload.check(queue, kRuns);
      };
      measure(enqueued, [&] { enqueue_all(workload); });
      measure(replayed, [&] { replay(workload, buffer); });
    }
    report(workload.name + ", enqueued", enqueued / workload.parts);
    report(workload.name + ", replayed", replayed / workload.parts);
    api_.release(buffer);
  }

  cl_int update(cb::BufferHandle buffer, cb::CommandHandle command, cl_int value) const {
    const cb::DispatchArgument argument{1, sizeof value, &value};
    cb::DispatchConfig config{};
    config.command = command;
    config.num_args = 1;
    config.arg_list = &argument;
    const cl_uint type = cb::UPDATE_DISPATCH;
    const void* configs[] = {&config};
    return api_.update(buffer, 1, &type, configs);
  }

  // One kernel, whose argument is another one in each replay or launch.
  void updates() {
    Workload workload;
    workload.memory.push_back(make_buffer(context_, sizeof(cl_int)));
    workload.kernels.push_back(make_kernel(program_, "add_value"));
    const auto& kernel = workload.kernels[0];
    set_args(kernel, workload.memory[0], cl_int{1});
    workload.steps.push_back({kernel, 1, 1, {}});
    cb::CommandHandle handle = nullptr;
    const auto buffer = record(workload, &handle);
    const int count = small_ ? 10 : 1000;
    const auto measure = [&](const std::string& what, bool updates, bool waits, bool replays) {
      double least = std::numeric_limits<double>::max();
      for (int round = small_ ? 0 : -5; round < (small_ ? 1 : 50); ++round) {
        check(update(buffer, handle, 1), "clUpdateMutableCommandsKHR");
        set_args(kernel, workload.memory[0], cl_int{1});
        const cl_int zero = 0;
        check(clEnqueueWriteBuffer(queue_, workload.memory[0], CL_TRUE, 0, sizeof zero, &zero, 0,
                                   nullptr, nullptr),
              "clEnqueueWriteBuffer");
        const double time = time_of([&] {
          for (cl_int i = 0; i < count; ++i) {
            if (updates && replays)
              check(update(buffer, handle, i), "clUpdateMutableCommandsKHR");
            else if (updates)
              check(clSetKernelArg(kernel, 1, sizeof i, &i), "clSetKernelArg");
            if (replays)
              check(api_.enqueue(0, nullptr, buffer, 0, nullptr, nullptr), "enqueue");
            else
              check(enqueue(queue_, kernel, {{1}, {1}, {}}), "enqueue");
            if (waits)
              check(clFinish(queue_), "clFinish");
          }
          check(clFinish(queue_), "clFinish");
        });
        require(read<cl_int>(queue_, workload.memory[0], 1)[0] ==
                    (updates ? count * (count - 1) / 2 : count),
                what);
        if (round >= 0)
          least = std::min(least, time);
      }
      report(what, least / count);
    };
    for (const bool waits : {true, false})
      for (const bool replays : {false, true})
        for (const bool updates : {false, true})
          measure(std::string(replays ? "replay" : "launch") + " of one kernel" +
                      (updates ? " with a new argument" : "") +
                      (waits ? ", one by one" : ", many in flight"),
                  updates, waits, replays);
    api_.release(buffer);
  }

  const bool small_, lines_;
  const Context context_ = make_context();
  const Queue queue_ = make_queue(context_);
  const Queue free_ = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Program program_ = build(context_, kSource);
  const cb::Api api_{platform()};
};

} // namespace
} // namespace heddle::bench

int main(int count, char** words) try {
  if (heddle::test::device_text(CL_DEVICE_EXTENSIONS).find("cl_khr_command_buffer") ==
      std::string::npos) {
    std::puts("the device has no command buffers");
    return 0;
  }
  bool small = false, lines = false;
  std::string_view only;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    small |= word == "--small";
    lines |= word == "--lines";
    if (word.starts_with("--only="))
      only = word.substr(7);
  }
  heddle::bench::Bench(small, lines).run(only);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
