// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same kernels in half precision and in floats. Their data are small multiples of 1/4, so that
// all results but softmax's are exact in half precision.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::bench {
namespace {

float from_half(uint16_t h) {
  const int exponent = h >> 10 & 31, fraction = h & 1023;
  const float value = exponent == 31 ? INFINITY
                      : exponent == 0
                          ? std::ldexp(static_cast<float>(fraction), -24)
                          : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return h & 0x8000 ? -value : value;
}

// Of a number that a half represents, of 2^-14 or more, or 0.
uint16_t to_half(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const uint32_t sign = bits >> 16 & 0x8000;
  return static_cast<uint16_t>(x == 0 ? sign : sign | (((bits & 0x7fffffff) >> 13) - (112 << 10)));
}

struct Numbers {
  bool is_half;

  BufferId input(Workload& w, const std::vector<float>& values) const {
    if (!is_half)
      return w.input(values);
    std::vector<uint16_t> halves;
    for (const auto value : values)
      halves.push_back(to_half(value));
    return w.input(halves);
  }
  BufferId result(Workload& w, size_t count) const {
    return is_half ? w.result<uint16_t>(count) : w.result<float>(count);
  }
  std::vector<float> values(const Workload& w, BufferId id) const {
    if (!is_half) {
      const auto view = w.view<float>(id);
      return {view.begin(), view.end()};
    }
    std::vector<float> list;
    for (const auto bits : w.view<uint16_t>(id))
      list.push_back(from_half(bits));
    return list;
  }
};

std::vector<float> quarters(size_t count, unsigned seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (auto& value : values)
    value = (static_cast<float>(random.below(9)) - 4) / 4; // -1 to 1
  return values;
}

std::unique_ptr<Workload> workload(Numbers numbers, const char* source) {
  auto w = std::make_unique<Workload>();
  w->source = std::string(numbers.is_half
                              ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#define T half\n"
                              : "#define T float\n") +
              source;
  if (numbers.is_half)
    w->needs = {"cl_khr_fp16"};
  return w;
}

// Far larger than the caches: bound by memory.
std::unique_ptr<Workload> axpy(Scale scale, Numbers numbers) {
  const size_t n = scale == Scale::kFull ? 1 << 25 : 1 << 12;
  auto w = workload(numbers, R"(
    kernel void axpy(global T* z, global const T* x, global const T* y, float a) {
      size_t i = get_global_id(0);
      z[i] = (T)a * x[i] + y[i];
    })");
  w->work = "32 Mi numbers";
  const auto xs = quarters(n, 1), ys = quarters(n, 2);
  const auto x = numbers.input(*w, xs), y = numbers.input(*w, ys);
  const auto z = numbers.result(*w, n);
  w->launch("axpy", {n}, {256}, z, x, y, 1.5f);
  w->verify = [=, &w = *w] {
    std::vector<float> wanted(n);
    for (size_t i = 0; i != n; ++i)
      wanted[i] = 1.5f * xs[i] + ys[i];
    return close(std::span<const float>(numbers.values(w, z)), wanted, 0, 0);
  };
  return w;
}

std::unique_ptr<Workload> gemm(Scale scale, Numbers numbers) {
  const size_t n = scale == Scale::kFull ? 256 : 64;
  auto w = workload(numbers, R"(
    kernel void gemm(global T* c, global const T* a, global const T* b, int n) {
      int x = get_global_id(0), y = get_global_id(1);
      T sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[y * n + k] * b[k * n + x];
      c[y * n + x] = sum;
    })");
  w->work = "256 x 256 x 256";
  const auto as = quarters(n * n, 1), bs = quarters(n * n, 2);
  const auto a = numbers.input(*w, as), b = numbers.input(*w, bs);
  const auto c = numbers.result(*w, n * n);
  w->launch("gemm", {n, n}, {64, 4}, c, a, b, static_cast<int32_t>(n));
  w->verify = [=, &w = *w] {
    std::vector<float> wanted(n * n);
    for (size_t y = 0; y != n; ++y)
      for (size_t k = 0; k != n; ++k)
        for (size_t x = 0; x != n; ++x)
          wanted[y * n + x] += as[y * n + k] * bs[k * n + x];
    return close(std::span<const float>(numbers.values(w, c)), wanted, 0, 0);
  };
  return w;
}

std::unique_ptr<Workload> softmax(Scale scale, Numbers numbers) {
  const size_t rows = scale == Scale::kFull ? 1 << 14 : 1 << 8;
  constexpr size_t kColumns = 64;
  auto w = workload(numbers, R"(
    kernel void softmax(global T* out, global const T* in, int columns) {
      size_t row = get_global_id(0), rows = get_global_size(0);
      T most = -INFINITY, sum = 0;
      for (int k = 0; k < columns; ++k)
        most = fmax(most, in[k * rows + row]);
      for (int k = 0; k < columns; ++k)
        sum += exp(in[k * rows + row] - most);
      for (int k = 0; k < columns; ++k)
        out[k * rows + row] = exp(in[k * rows + row] - most) / sum;
    })");
  w->work = "16 Ki rows of 64";
  const auto values = quarters(rows * kColumns, 1);
  const auto in = numbers.input(*w, values);
  const auto out = numbers.result(*w, rows * kColumns);
  w->launch("softmax", {rows}, {64}, out, in, static_cast<int32_t>(kColumns));
  w->verify = [=, &w = *w] {
    std::vector<float> wanted(rows * kColumns);
    for (size_t row = 0; row != rows; ++row) {
      double sum = 0;
      for (size_t k = 0; k != kColumns; ++k)
        sum += std::exp(static_cast<double>(values[k * rows + row]));
      for (size_t k = 0; k != kColumns; ++k)
        wanted[k * rows + row] =
            static_cast<float>(std::exp(static_cast<double>(values[k * rows + row])) / sum);
    }
    const float tolerance = numbers.is_half ? 0.02f : 1e-5f;
    return close(std::span<const float>(numbers.values(w, out)), wanted, tolerance, 1e-6);
  };
  return w;
}

std::unique_ptr<Workload> convolution(Scale scale, Numbers numbers) {
  const int32_t size = scale == Scale::kFull ? 1024 : 64;
  auto w = workload(numbers, R"(
    kernel void convolve(global T* out, global const T* in, constant T* weights, int width,
                         int height) {
      int x = get_global_id(0), y = get_global_id(1);
      T sum = 0;
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
          int sx = clamp(x + dx, 0, width - 1), sy = clamp(y + dy, 0, height - 1);
          sum += in[sy * width + sx] * weights[(dy + 2) * 5 + dx + 2];
        }
      out[y * width + x] = sum;
    })");
  w->work = "5 x 5, 1024 x 1024 numbers";
  const auto side = static_cast<size_t>(size), count = side * side;
  const auto data = quarters(count, 1), mask = quarters(25, 2);
  const auto in = numbers.input(*w, data), weights = numbers.input(*w, mask);
  const auto out = numbers.result(*w, count);
  w->launch("convolve", {side, side}, {64, 4}, out, in, weights, size, size);
  w->verify = [=, &w = *w] {
    std::vector<float> wanted(count);
    for (int y = 0; y != size; ++y)
      for (int x = 0; x != size; ++x)
        for (int dy = -2; dy <= 2; ++dy)
          for (int dx = -2; dx <= 2; ++dx)
            wanted[y * size + x] +=
                data[std::clamp(y + dy, 0, size - 1) * size + std::clamp(x + dx, 0, size - 1)] *
                mask[(dy + 2) * 5 + dx + 2];
    return close(std::span<const float>(numbers.values(w, out)), wanted, 0, 0);
  };
  return w;
}

using Make = std::unique_ptr<Workload> (*)(Scale, Numbers);
struct Pair {
  Pair(const char* name, Make make)
      : half(std::string("half/") + name, [=](Scale scale) { return make(scale, {true}); }),
        single(std::string("half/") + name + "_float",
               [=](Scale scale) { return make(scale, {false}); }) {}
  Register half, single;
};
const Pair kPairs[] = {
    {"axpy", axpy}, {"gemm", gemm}, {"softmax", softmax}, {"convolution", convolution}};

} // namespace
} // namespace heddle::bench
