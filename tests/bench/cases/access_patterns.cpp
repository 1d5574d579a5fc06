// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that are far apart from one first id to the next, in groups of several sizes: columns,
// which are consecutive along the second one, and rows that each work-item walks through alone. And
// many planes, whose elements of one work-item are 32 KiB apart.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

std::string name_of(const char* what, const std::vector<size_t>& local) {
  std::string name = std::string("access_patterns/") + what;
  if (local.empty())
    return name + "_any";
  for (size_t d = 0; d < local.size(); ++d)
    name += (d == 0 ? "_" : "x") + std::to_string(local[d]);
  return name;
}

void add_columns(const std::vector<size_t>& local) {
  Register(name_of("columns", local), [=](Scale scale) {
    const size_t size = scale == Scale::kFull ? 1024 : 64;
    auto w = std::make_unique<Workload>();
    w->is_about_groups = true;
    w->work = "1024 x 1024 floats, consecutive along the second id";
    w->source = R"(
      kernel void columns(global float* out, global const float* in, int n) {
        int x = get_global_id(0), y = get_global_id(1);
        out[n * x + y] = in[n * x + y] * 2 + 1;
      })";
    auto expected = random_values<float>(size * size, 0, 1);
    const auto in = w->input(expected);
    const auto out = w->result<float>(size * size);
    w->launch("columns", {size, size}, local, out, in, static_cast<int32_t>(size));
    for (auto& value : expected)
      value = value * 2 + 1;
    w->verify = [=, &w = *w] { return close(w.view<float>(out), expected, 1e-6); };
    return w;
  });
}

// How work-items walk through their rows.
struct RowLoop {
  const char* name;
  size_t length;
  const char* source;
};

constexpr RowLoop kByIndex{"rows", 256, R"(
  for (int j = 0; j < n; ++j)
    sum += in[i * n + j] * factors[j];)"};
constexpr RowLoop kByPointer{"rows_by_pointer", 1024, R"(
  for (global const float *p = in + i * n, *end = p + n; p != end; ++p)
    sum += *p * *factors++;)"};
constexpr RowLoop kBackwards{"rows_backwards", 1024, R"(
  for (int j = n - 1; j >= 0; --j)
    sum += in[i * n + j] * factors[j];)"};

void add_rows(const RowLoop& loop, const std::vector<size_t>& local) {
  Register(name_of(loop.name, local), [=](Scale scale) {
    const size_t rows = scale == Scale::kFull ? 4096 : 512, length = loop.length;
    auto w = std::make_unique<Workload>();
    w->is_about_groups = true;
    w->work = "4096 rows of " + std::to_string(length) + " floats, each by one work-item";
    w->source = R"(
      kernel void rows(global float* out, global const float* in, global const float* factors, int n) {
        int i = get_global_id(0);
        float sum = 0;)" +
                std::string(loop.source) + R"(
        out[i] = sum;
      })";
    const auto values = random_values<float>(rows * length, 0, 1);
    const auto factors = random_values<float>(length, 0, 1, 2);
    std::vector<double> expected(rows);
    for (size_t i = 0; i < values.size(); ++i)
      expected[i / length] += static_cast<double>(values[i]) * factors[i % length];
    const auto in = w->input(values);
    const auto by = w->input(factors);
    const auto out = w->result<float>(rows);
    w->launch("rows", {rows}, local, out, in, by, static_cast<int32_t>(length));
    w->verify = [=, &w = *w] { return close(w.view<float>(out), expected, 1e-4); };
    return w;
  });
}

void add_far_stores(const std::vector<size_t>& local) {
  Register(name_of("far_stores", local), [=](Scale scale) {
    const size_t items = scale == Scale::kFull ? 4096 : 512, stores = 64, apart = 16;
    auto w = std::make_unique<Workload>();
    w->is_about_groups = true;
    w->work = "64 stores by each of 4096 work-items, a cache line apart";
    w->source = R"(
      kernel void far_stores(global float* out, global const float* in, int n, int apart) {
        int i = get_global_id(0);
        for (int j = 0; j < n; ++j)
          out[(i * n + j) * apart] = in[i] + j;
      })";
    const auto values = random_values<float>(items, 0, 1);
    const auto in = w->input(values);
    const auto out = w->result<float>(items * stores * apart);
    w->launch("far_stores", {items}, local, out, in, static_cast<int32_t>(stores),
              static_cast<int32_t>(apart));
    w->verify = [=, &w = *w] {
      const auto got = w.view<float>(out);
      for (size_t i = 0; i < items * stores; ++i)
        if (got[i * apart] != values[i / stores] + static_cast<float>(i % stores))
          return "element " + std::to_string(i * apart) + " is " + std::to_string(got[i * apart]);
      return std::string();
    };
    return w;
  });
}

// The weighted sum of an element of each plane, in straight code.
void add_planes(size_t planes) {
  Register("access_patterns/planes_" + std::to_string(planes), [=](Scale scale) {
    const size_t n = 4096, repeats = scale == Scale::kFull ? 16 : 1;
    auto w = std::make_unique<Workload>();
    w->work = "sums of " + std::to_string(planes) + " planes of 16 x 4096 doubles";
    std::string sum = "0";
    for (size_t p = 0; p < planes; ++p)
      sum =
          "(" + sum + " + in[i + " + std::to_string(p * n) + "] * w" + std::to_string(p % 4) + ")";
    w->source = R"(
      kernel void planes(global double* out, global const double* in, double w0) {
        size_t i = get_global_id(0);
        double w1 = w0 + 1, w2 = w0 + 2, w3 = w0 + 3;
        out[i] = )" +
                sum + ";\n}";
    const auto values = random_values<double>((planes + repeats) * n, 0, 1);
    const auto in = w->input(values);
    const auto out = w->result<double>(repeats * n);
    w->launch("planes", {repeats * n}, {}, out, in, 0.5);
    w->verify = [=, &w = *w] {
      std::vector<double> expected(repeats * n);
      for (size_t i = 0; i != expected.size(); ++i)
        for (size_t p = 0; p < planes; ++p)
          expected[i] += values[i + p * n] * (0.5 + static_cast<double>(p % 4));
      return close(w.view<double>(out), expected, 1e-12);
    };
    return w;
  });
}

// Reads and writes an element of each plane, in straight code.
void add_plane_updates(size_t planes) {
  Register("access_patterns/plane_updates_" + std::to_string(planes), [=](Scale scale) {
    const size_t n = scale == Scale::kFull ? 1 << 13 : 1 << 8;
    auto w = std::make_unique<Workload>();
    w->work = "updates of " + std::to_string(planes) + " planes of 8 Ki doubles";
    std::string updates;
    for (size_t p = 0; p < planes; ++p) {
      const auto index = "[i + " + std::to_string(p * n) + "]";
      updates += "out" + index + " = in" + index + " * w + first;\n";
    }
    w->source = R"(
      kernel void updates(global double* restrict out, global const double* restrict in, double w) {
        size_t i = get_global_id(0);
        double first = in[i];
        )" + updates +
                "}";
    const auto values = random_values<double>(planes * n, 0, 1);
    const auto in = w->input(values);
    const auto out = w->result<double>(planes * n);
    w->launch("updates", {n}, {64}, out, in, 0.5);
    w->verify = [=, &w = *w] {
      std::vector<double> expected(planes * n);
      for (size_t i = 0; i != expected.size(); ++i)
        expected[i] = values[i] * 0.5 + values[i % n];
      return close(w.view<double>(out), expected, 1e-12);
    };
    return w;
  });
}

const bool kAdded = [] {
  add_planes(10);
  add_planes(40);
  add_plane_updates(20);
  add_plane_updates(200);
  add_rows(kByPointer, {64});
  add_rows(kBackwards, {64});
  for (const std::vector<size_t>& local :
       std::initializer_list<std::vector<size_t>>{{1, 64}, {16, 16}, {64, 1}, {}})
    add_columns(local);
  for (const std::vector<size_t>& local :
       std::initializer_list<std::vector<size_t>>{{16}, {64}, {256}, {}}) {
    add_rows(kByIndex, local);
    add_far_stores(local);
  }
  return true;
}();

} // namespace
} // namespace heddle::bench
