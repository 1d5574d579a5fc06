// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures and pixels whose size is no power of two, each copied by a work-item.
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

} // namespace
} // namespace heddle::bench
