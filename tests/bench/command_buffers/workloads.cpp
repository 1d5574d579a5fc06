// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/command_buffers/workloads.h"

#include <cmath>

namespace heddle::bench {

const char* const kSource = R"(
kernel void empty(global int* x) {}
kernel void add_value(global int* x, int value) { *x += value; }
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

namespace {

constexpr size_t kGroup = 64;

template <class T>
void write(cl_command_queue queue, cl_mem memory, const std::vector<T>& contents) {
  check(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, contents.size() * sizeof(T),
                             contents.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
}

// The last one is not empty: it counts the runs.
Workload empty_kernels(cl_context context, cl_program program, size_t count) {
  Workload made;
  made.name = std::to_string(count) + " empty kernels";
  made.parts = static_cast<double>(count);
  made.memory.push_back(make_buffer(context, sizeof(cl_int)));
  made.kernels.push_back(make_kernel(program, "empty"));
  made.kernels.push_back(make_kernel(program, "add_value"));
  set_args(made.kernels[0], made.memory[0]);
  set_args(made.kernels[1], made.memory[0], cl_int{1});
  made.steps.assign(count, Step{made.kernels[0], 1, 1, {}});
  made.steps.back().kernel = made.kernels[1];
  const cl_mem counter = made.memory[0];
  made.reset = [counter](cl_command_queue queue) { write<cl_int>(queue, counter, {0}); };
  made.check = [counter](cl_command_queue queue, int runs) {
    require(read<cl_int>(queue, counter, 1)[0] == runs, "count of empty kernels");
  };
  return made;
}

// Kernels that go on with what the one before them in their branch left.
Workload branches(cl_context context, cl_program program, size_t count, size_t length,
                  cl_int rounds) {
  constexpr size_t kItems = 2048;
  Workload made;
  made.out_of_order = count > 1;
  made.parts = static_cast<double>(count * length);
  std::vector<cl_mem> memory;
  for (size_t branch = 0; branch < count; ++branch) {
    made.memory.push_back(make_buffer(context, kItems * sizeof(float)));
    memory.push_back(made.memory.back());
    made.kernels.push_back(make_kernel(program, "work"));
    set_args(made.kernels.back(), made.memory.back(), rounds);
    for (size_t i = 0; i < length; ++i) {
      std::vector<size_t> after;
      if (i != 0)
        after.push_back(made.steps.size() - 1);
      made.steps.push_back({made.kernels.back(), kItems, kGroup, std::move(after)});
    }
  }
  made.reset = [memory](cl_command_queue queue) {
    for (auto* one : memory)
      write(queue, one, std::vector<float>(kItems, 0.0f));
  };
  made.check = [memory, length, rounds](cl_command_queue queue, int runs) {
    const double all = static_cast<double>(length) * rounds * runs;
    const double expected = 1 - std::pow(0.999, all);
    for (auto* one : memory)
      for (const float value : read<float>(queue, one, kItems))
        require(std::abs(value - expected) < 1e-3, "a chain's");
  };
  return made;
}

// The same iterations on the host.
std::vector<double> solve_by_host(size_t n, int iterations) {
  const size_t points = n * n;
  std::vector<double> x(points, 0), r(points, 1), p(points, 1), q(points);
  const auto dot = [points](const auto& a, const auto& b) {
    double sum = 0;
    for (size_t i = 0; i < points; ++i)
      sum += a[i] * b[i];
    return sum;
  };
  double rr = dot(r, r);
  for (int k = 0; k < iterations; ++k) {
    for (size_t i = 0; i < points; ++i)
      q[i] = 4 * p[i] - (i % n > 0 ? p[i - 1] : 0) - (i % n < n - 1 ? p[i + 1] : 0) -
             (i >= n ? p[i - n] : 0) - (i + n < points ? p[i + n] : 0);
    const double a = rr / dot(p, q);
    for (size_t i = 0; i < points; ++i) {
      x[i] += a * p[i];
      r[i] -= a * q[i];
    }
    const double after = dot(r, r);
    for (size_t i = 0; i < points; ++i)
      p[i] = r[i] + after / rr * p[i];
    rr = after;
  }
  return x;
}

Workload conjugate_gradients(cl_context context, cl_program program, size_t n) {
  const size_t points = n * n, groups = points / kGroup;
  Workload made;
  made.name = "conjugate gradients, " + std::to_string(n) + " x " + std::to_string(n);
  enum : size_t { x, r, p, q, parts, rr, pq, after };
  for (const size_t count :
       {points, points, points, points, groups, size_t{1}, size_t{1}, size_t{1}})
    made.memory.push_back(make_buffer(context, count * sizeof(float)));
  const auto& memory = made.memory;
  const auto add = [&](const char* name, size_t global, size_t local, const auto&... arguments) {
    made.kernels.push_back(make_kernel(program, name));
    set_args(made.kernels.back(), arguments...);
    made.steps.push_back({made.kernels.back(), global, local, {}});
  };
  const Local sums{kGroup * sizeof(float)};
  add("multiply", points, kGroup, memory[p], memory[q], static_cast<cl_int>(n));
  add("dot_parts", points, kGroup, memory[p], memory[q], memory[parts], sums);
  add("add_parts", 1, 1, memory[parts], memory[pq], static_cast<cl_int>(groups));
  add("advance", points, kGroup, memory[x], memory[r], memory[p], memory[q], memory[rr],
      memory[pq]);
  add("dot_parts", points, kGroup, memory[r], memory[r], memory[parts], sums);
  add("add_parts", 1, 1, memory[parts], memory[after], static_cast<cl_int>(groups));
  add("turn", points, kGroup, memory[p], memory[r], memory[after], memory[rr]);
  add("keep", 1, 1, memory[rr], memory[after]);
  std::vector<cl_mem> all(memory.begin(), memory.end());
  made.reset = [all, points](cl_command_queue queue) {
    write(queue, all[x], std::vector<float>(points, 0.0f));
    write(queue, all[r], std::vector<float>(points, 1.0f));
    write(queue, all[p], std::vector<float>(points, 1.0f));
    write<float>(queue, all[rr], {static_cast<float>(points)});
  };
  made.check = [all, n](cl_command_queue queue, int runs) {
    const auto expected = solve_by_host(n, runs);
    const auto found = read<float>(queue, all[x], expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      require(std::abs(found[i] - expected[i]) < 1e-3 * (1 + std::abs(expected[i])),
              "conjugate gradients'");
  };
  return made;
}

} // namespace

Workload thousand_empty_kernels(cl_context context, cl_program program, bool small) {
  return empty_kernels(context, program, small ? 10 : 1000);
}

Workload ten_thousand_empty_kernels(cl_context context, cl_program program, bool small) {
  return empty_kernels(context, program, small ? 100 : 10'000);
}

Workload chain_of_5_us(cl_context context, cl_program program, bool) {
  auto made = branches(context, program, 1, 20, 130);
  made.name = "20 kernels of 5 us";
  return made;
}

Workload chain_of_50_us(cl_context context, cl_program program, bool) {
  auto made = branches(context, program, 1, 20, 1300);
  made.name = "20 kernels of 50 us";
  return made;
}

Workload eight_branches(cl_context context, cl_program program, bool) {
  auto made = branches(context, program, 8, 10, 250);
  made.name = "8 branches of 10 kernels";
  return made;
}

Workload small_conjugate_gradients(cl_context context, cl_program program, bool) {
  return conjugate_gradients(context, program, 64);
}

Workload large_conjugate_gradients(cl_context context, cl_program program, bool small) {
  return conjugate_gradients(context, program, small ? 128 : 512);
}

} // namespace heddle::bench
