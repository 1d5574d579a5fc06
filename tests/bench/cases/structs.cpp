// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures, pixels and complex numbers, each read and written element by element by a work-item.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const Register kCopy("structs/copy", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 16 : 1 << 10, words = 7;
  auto w = std::make_unique<Workload>();
  w->work = "64 Ki structures of 28 bytes";
  w->source = R"(
    typedef struct { float position[3], mass; int kind; float charge[2]; } Particle;
    kernel void copy(global Particle* out, global const Particle* in) {
      out[get_global_id(0)] = in[get_global_id(0)];
    })";
  const auto values = random_bits(n * words);
  const auto in = w->input(values);
  const auto out = w->result<uint32_t>(n * words);
  w->launch("copy", {n}, {}, out, in);
  w->verify = [=, &w = *w] { return equal(w.view<uint32_t>(out), values); };
  return w;
});

const Register kExchanged("structs/bytes_of_three", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 18 : 1 << 12;
  auto w = std::make_unique<Workload>();
  w->work = "256 Ki pixels of three bytes, exchanged and halved";
  w->source = R"(
    kernel void pixels(global uchar* out, global const uchar* in) {
      size_t i = get_global_id(0) * 3;
      out[i] = in[i + 2] / 2;
      out[i + 1] = in[i + 1] / 2;
      out[i + 2] = in[i] / 2;
    })";
  std::vector<uint8_t> values;
  for (const auto word : random_bits(n * 3))
    values.push_back(static_cast<uint8_t>(word));
  const auto in = w->input(values);
  const auto out = w->result<uint8_t>(n * 3);
  w->launch("pixels", {n}, {}, out, in);
  w->verify = [=, &w = *w] {
    std::vector<uint8_t> expected;
    for (size_t i = 0; i != n; ++i)
      for (const int channel : {2, 1, 0})
        expected.push_back(static_cast<uint8_t>(values[3 * i + static_cast<size_t>(channel)] / 2));
    return equal(w.view<uint8_t>(out), expected);
  };
  return w;
});

const Register kChannels("structs/bytes_of_four", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 18 : 1 << 12;
  auto w = std::make_unique<Workload>();
  w->work = "256 Ki pixels of four bytes, inverted in a loop over channels; their means";
  w->source = R"(
    kernel void pixels(global uchar* out, global uchar* means, global const uchar* in) {
      int i = get_global_id(0);
      for (int channel = 0; channel < 4; ++channel)
        out[4 * i + channel] = 255 - in[4 * i + channel];
      means[i] = (in[4 * i] + in[4 * i + 1] + in[4 * i + 2]) / 3;
    })";
  std::vector<uint8_t> values;
  for (const auto word : random_bits(n * 4))
    values.push_back(static_cast<uint8_t>(word));
  const auto in = w->input(values);
  const auto out = w->result<uint8_t>(n * 4), means = w->result<uint8_t>(n);
  w->launch("pixels", {n}, {}, out, means, in);
  w->verify = [=, &w = *w] {
    std::vector<uint8_t> inverted, expected;
    for (const auto value : values)
      inverted.push_back(static_cast<uint8_t>(255 - value));
    for (size_t i = 0; i != n; ++i)
      expected.push_back(
          static_cast<uint8_t>((values[4 * i] + values[4 * i + 1] + values[4 * i + 2]) / 3));
    const auto wrong = equal(w.view<uint8_t>(out), inverted);
    return wrong.empty() ? equal(w.view<uint8_t>(means), expected) : wrong;
  };
  return w;
});

const Register kComplex("structs/complex", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 16 : 1 << 10;
  auto w = std::make_unique<Workload>();
  w->work = "64 Ki products of complex floats, of which one is picked by a table";
  w->source = R"(
    kernel void product(global float* out, global const float* in, global const uint* table) {
      uint i = get_global_id(0), t = table[i];
      float ar = in[2 * i], ai = in[2 * i + 1], br = in[2 * t], bi = in[2 * t + 1];
      out[2 * i] = ar * br - ai * bi;
      out[2 * i + 1] = ar * bi + ai * br;
    })";
  const auto values = random_values<float>(2 * n, -1, 1);
  auto places = random_bits(n);
  for (auto& place : places)
    place %= static_cast<uint32_t>(n);
  const auto in = w->input(values);
  const auto table = w->input(places);
  const auto out = w->result<float>(2 * n);
  w->launch("product", {n}, {}, out, in, table);
  w->verify = [=, &w = *w] {
    std::vector<double> expected;
    for (size_t i = 0; i != n; ++i) {
      const double ar = values[2 * i], ai = values[2 * i + 1];
      const double br = values[2 * places[i]], bi = values[2 * places[i] + 1];
      expected.push_back(ar * br - ai * bi);
      expected.push_back(ar * bi + ai * br);
    }
    return close(w.view<float>(out), expected, 1e-5, 1e-6);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
