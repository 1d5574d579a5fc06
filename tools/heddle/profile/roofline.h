// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine can do with all compute units: the ceilings that kernels are compared with.
#pragma once

#include <string>

namespace heddle {

struct Roofline {
  std::string cpu;
  unsigned compute_units = 0;
  double float_flops = 0;     // a second, by fused multiply-additions
  double double_flops = 0;    // likewise
  double bandwidth = 0;       // bytes a second from and to memory, of what programs ask for
  double cache_bandwidth = 0; // the same of launches whose memory stays in the last cache
  double cache_bytes = 0;     // its size, as the driver tells it

  // The least time of so many operations and bytes, in seconds: the longer one of both. `at_once`:
  // the bytes of one launch.
  double least_time(double flops, double of_them_double, double bytes, double at_once) const;
  // Operations for each byte from which on memory is not what limits.
  double ridge() const { return float_flops / bandwidth; }
};

// As it was measured in an earlier process, or, if there is none or `again` is set, measured now
// (half a second). The best figures are kept in the cache folder: what else runs on the machine
// makes them lower. Throws DriverFailure.
Roofline measured_roofline(bool again);

} // namespace heddle
