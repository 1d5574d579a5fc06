// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Litmus tests of pipes: a few operations on one pipe by concurrent kernels, repeated. Their
// results must be an outcome of an interleaving in a small model of pipes. CONFORMANCE_ROUNDS=N is
// the number of repetitions (1000; the rarest outcomes need 10,000 or more).
#include "harness.h"
#include "pipe_model.h"

#include <algorithm>
#include <map>

using namespace conformance;

namespace {

// A thread is a launch of one work-item. All synchronize before and after each round; between
// rounds the first reader empties the pipe. A thread that waits too long for the others gives up.
const char* kSource = R"(
  typedef struct { int kind, id, count; } operation;

  // `pause` is an empty pipe: reading it is a hint to let other kernels run.
  bool meet(global atomic_int* arrived, int target, read_only pipe int pause) {
    atomic_fetch_add_explicit(arrived, 1, memory_order_acq_rel, memory_scope_device);
    for (int spins = 0; spins < (1 << 27); ++spins) {
      if (atomic_load_explicit(arrived, memory_order_acquire, memory_scope_device) >= target)
        return true;
      int none;
      if (spins % 16 == 15) read_pipe(pause, &none);
    }
    return false;
  }
  // Delays from zero to long enough that others finish.
  void wait_a_little(uint* random, read_only pipe int pause) {
    *random = *random * 1664525u + 1013904223u;
    uint kind = *random >> 28;
    int none;
    if (kind < 3) for (int i = 0; i < 32; ++i) read_pipe(pause, &none);
    else if (kind < 12) for (volatile uint i = *random >> 16 & 2047u >> kind; i > 0; --i) {}
  }

  kernel void writer(write_only pipe int p, read_only pipe int pause, constant operation* operations,
                     int count, int rounds, int threads, int first, int per_round,
                     global atomic_int* arrived, global int* out) {
    uint random = first;
    for (int round = 0; round < rounds; ++round) {
      reserve_id_t ids[2];
      global int* o = out + round * per_round;
      int value = first;
      if (!meet(arrived, (2 * round + 1) * threads, pause)) { out[0] = -99; return; }
      for (int i = 0; i < count; ++i) {
        wait_a_little(&random, pause);
        operation op = operations[i];
        if (op.kind == 0) {
          *o++ = write_pipe(p, &value) == 0;
          ++value;
        } else if (op.kind == 1) {
          ids[op.id] = reserve_write_pipe(p, op.count);
          bool valid = is_valid_reserve_id(ids[op.id]);
          *o++ = valid;
          for (int k = 0; k < op.count; ++k, ++value)
            if (valid) write_pipe(p, ids[op.id], k, &value);
        } else {
          if (is_valid_reserve_id(ids[op.id])) commit_write_pipe(p, ids[op.id]);
          *o++ = 0;
        }
      }
      if (!meet(arrived, (2 * round + 2) * threads, pause)) { out[0] = -99; return; }
    }
  }
  kernel void reader(read_only pipe int p, read_only pipe int pause, constant operation* operations,
                     int count, int rounds, int threads, int first, int per_round,
                     global atomic_int* arrived, global int* out, int drains) {
    uint random = first;
    for (int round = 0; round < rounds; ++round) {
      reserve_id_t ids[2];
      global int* o = out + round * per_round;
      if (!meet(arrived, (2 * round + 1) * threads, pause)) { out[0] = -99; return; }
      for (int i = 0; i < count; ++i) {
        wait_a_little(&random, pause);
        operation op = operations[i];
        if (op.kind == 3) {
          int value = -1;
          bool valid = read_pipe(p, &value) == 0;
          *o++ = valid;
          *o++ = valid ? value : -1;
        } else if (op.kind == 4) {
          ids[op.id] = reserve_read_pipe(p, op.count);
          bool valid = is_valid_reserve_id(ids[op.id]);
          *o++ = valid;
          for (int k = 0; k < op.count; ++k) {
            int value = -1;
            if (valid) read_pipe(p, ids[op.id], k, &value);
            *o++ = value;
          }
        } else {
          if (is_valid_reserve_id(ids[op.id])) commit_read_pipe(p, ids[op.id]);
          *o++ = 0;
        }
      }
      // Two synchronizations per round: the drain is before the first one of the next round, at
      // which the draining reader arrives last.
      if (!meet(arrived, (2 * round + 2) * threads, pause)) { out[0] = -99; return; }
      if (drains) {
        int value;
        while (read_pipe(p, &value) == 0) *o++ = value;
        *o = -1;
      }
    }
  })";

class PipeLitmus : public DeviceTest {
 protected:
  void SetUp() override {
    if (version < 200 || !info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_PIPE_SUPPORT))
      GTEST_SKIP() << "no pipes";
    DeviceTest::SetUp();
    program_ = build(kSource, "-cl-std=CL3.0");
  }

  // The outcome of each round; empty if the kernels do not run concurrently.
  std::vector<Outcome> observe(const Litmus& litmus, cl_int rounds) {
    const auto threads = litmus.threads.size();
    cl_int error;
    Memory pipe(clCreatePipe(context, 0, 4, cl_uint(litmus.depth), nullptr, &error));
    EXPECT_CL(error);
    Memory pause(clCreatePipe(context, 0, 4, 1, nullptr, &error));
    EXPECT_CL(error);
    Memory arrived = make_buffer(std::vector<cl_int>(1));
    std::vector<Memory> programs, outs;
    std::vector<Queue> queues;
    std::vector<size_t> sizes;
    size_t drainer = threads;
    for (size_t t = 0; t < threads; ++t) {
      const auto& operations = litmus.threads[t];
      const bool reads = operations[0].kind >= Kind::read;
      const bool drains = reads && drainer == threads;
      if (drains)
        drainer = t;
      size_t size = drains ? size_t(litmus.depth) + 1 : 0;
      for (const auto& operation : operations)
        size += results_of(operation);
      sizes.push_back(size);
      programs.push_back(make_buffer(operations));
      outs.push_back(make_buffer(std::vector<cl_int>(size * rounds)));
      queues.push_back(make_queue(0));
      Kernel kernel = make_kernel(program_, reads ? "reader" : "writer");
      set_arguments(kernel, pipe, pause, programs[t], cl_int(operations.size()), rounds,
                    cl_int(threads), cl_int(t + 1) * 100, cl_int(size), arrived, outs[t]);
      if (reads)
        set_argument(kernel, 10, cl_int(drains));
      const size_t one = 1;
      EXPECT_CL(
          clEnqueueNDRangeKernel(queues[t], kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr));
      EXPECT_CL(clFlush(queues[t]));
    }
    for (auto& each : queues)
      EXPECT_CL(clFinish(each));
    std::vector<std::vector<cl_int>> results;
    for (size_t t = 0; t < threads; ++t) {
      results.push_back(read<cl_int>(outs[t], sizes[t] * rounds));
      if (results[t][0] == -99)
        return {};
    }
    std::vector<Outcome> observed(rounds);
    for (cl_int round = 0; round < rounds; ++round) {
      Outcome rest;
      for (size_t t = 0; t < threads; ++t) {
        auto* begin = &results[t][round * sizes[t]];
        auto* end = begin + sizes[t];
        if (t == drainer) {
          end -= litmus.depth + 1;
          rest.assign(end, std::find(end, end + litmus.depth + 1, -1));
        }
        observed[round].insert(observed[round].end(), begin, end);
      }
      observed[round].insert(observed[round].end(), rest.begin(), rest.end());
    }
    return observed;
  }

  Program program_;
};

std::string text(const Outcome& outcome) {
  std::string result;
  for (const auto value : outcome)
    result += std::to_string(value) + " ";
  return result;
}

// The model excludes some outcomes of incorrect pipes.
TEST(PipeModel, AllowsWhatItShould) {
  const auto one = Model::outcomes({"", 1, {{W}, {R}}});
  EXPECT_EQ(one, (std::set<Outcome>{{1, 0, -1, 100}, {1, 1, 100}}));
  const auto atomic = Model::outcomes({"", 4, {{reserve_w(0, 2), commit_w(0)}, {reserve_r(0, 2)}}});
  EXPECT_EQ(atomic, (std::set<Outcome>{{1, 0, 0, -1, -1, 100, 101}, {1, 0, 1, 100, 101}}));
  // No reservation is overtaken; the second packet is never read before the first.
  for (const auto& outcome : Model::outcomes(
           {"", 4, {{reserve_w(0, 1), reserve_w(1, 1), commit_w(1), commit_w(0)}, {R}}}))
    EXPECT_TRUE(outcome[5] == -1 || outcome[5] == 100) << text(outcome);
}

TEST_F(PipeLitmus, OnlyWhatTheModelAllows) {
  SPEC("C, Pipe Functions; see pipe_model.h");
  const char* wanted = std::getenv("CONFORMANCE_ROUNDS");
  const cl_int rounds = wanted ? std::max(1, std::atoi(wanted)) : 1000;
  for (const auto& litmus : kLitmus) {
    const auto allowed = Model::outcomes(litmus);
    const auto observed = observe(litmus, rounds);
    if (observed.empty())
      GTEST_SKIP() << "kernels of several queues do not run at the same time";
    std::map<Outcome, int> counts;
    for (const auto& outcome : observed)
      ++counts[outcome];
    for (const auto& [outcome, count] : counts)
      EXPECT_TRUE(allowed.contains(outcome))
          << litmus.name << ": " << count << " times " << text(outcome);
    std::printf("  %-34s %3zu of %3zu outcomes seen\n", litmus.name, counts.size(), allowed.size());
  }
}

} // namespace
