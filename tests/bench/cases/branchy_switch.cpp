// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An interpreter's loop: every work-item takes different cases of a switch, 64 times.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

uint32_t interpret(uint32_t x) {
  uint32_t sum = 1;
  for (uint32_t i = 0; i != 64; ++i) {
    switch ((x >> 13) & 7) {
    case 0:
      x = x * 1664525 + 1013904223;
      break;
    case 1:
      x ^= x << 7;
      sum += x;
      break;
    case 2:
      x += sum * 31;
      break;
    case 3:
      x = (x >> 3) | (x << 29);
      sum ^= i;
      break;
    case 4:
      sum = sum * 5 + x;
      x += 0x9E3779B9;
      break;
    case 5:
      x = ~x + sum;
      break;
    case 6:
      x -= (sum >> 5) ^ i;
      break;
    default:
      sum += x & 0xFF;
      x = x * 69069 + 1;
      break;
    }
  }
  return x ^ sum;
}

const Register entry("branchy_switch", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 17 : 1 << 10;
  auto w = std::make_unique<Workload>();
  w->work = "128 Ki uints, 64 steps of 8 cases";
  w->source = R"(
    kernel void interpret(global uint* out, global const uint* in) {
      uint x = in[get_global_id(0)], sum = 1;
      for (uint i = 0; i < 64; ++i) {
        switch ((x >> 13) & 7) {
          case 0: x = x * 1664525 + 1013904223; break;
          case 1: x ^= x << 7; sum += x; break;
          case 2: x += sum * 31; break;
          case 3: x = (x >> 3) | (x << 29); sum ^= i; break;
          case 4: sum = sum * 5 + x; x += 0x9E3779B9; break;
          case 5: x = ~x + sum; break;
          case 6: x -= (sum >> 5) ^ i; break;
          default: sum += x & 0xFF; x = x * 69069 + 1; break;
        }
      }
      out[get_global_id(0)] = x ^ sum;
    })";
  const auto data = random_bits(n);
  const auto in = w->input(data);
  const auto out = w->result<uint32_t>(n);
  w->launch("interpret", {n}, {256}, out, in);
  w->verify = [=, &w = *w] {
    std::vector<uint32_t> expected(n);
    for (size_t i = 0; i != n; ++i)
      expected[i] = interpret(data[i]);
    return equal(w.view<uint32_t>(out), expected);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
