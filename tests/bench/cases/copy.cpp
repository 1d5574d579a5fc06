// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const Register entry("copy", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 8 << 20 : 1 << 12;
  auto w = std::make_unique<Workload>();
  w->work = "8 Mi uints";
  w->source = R"(
    kernel void copy(global uint* out, global const uint* in) {
      size_t i = get_global_id(0);
      out[i] = in[i];
    })";
  const auto data = random_bits(n);
  const auto in = w->input(data);
  const auto out = w->result<uint32_t>(n);
  w->launch("copy", {n}, {256}, out, in);
  w->verify = [=, &w = *w] { return equal(w.view<uint32_t>(out), data); };
  return w;
});

} // namespace
} // namespace heddle::bench
