// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common code of the programs for async copies: random bytes, their comparison, and OpenCL C that
// fills and saves local memory.
#pragma once

#include "harness.h"

#include <algorithm>
#include <random>

namespace conformance {

using Bytes = std::vector<cl_uchar>;
constexpr cl_uchar kUntouched = 0xa5;
constexpr size_t kLocalBytes = 16 << 10;

inline Bytes random_bytes(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(count);
  for (auto& byte : bytes)
    byte = cl_uchar(random());
  return bytes;
}

// Reports the first byte that differs; the vectors are too long to print.
inline void expect_same(const Bytes& seen, const Bytes& expected, const std::string& what) {
  ASSERT_EQ(seen.size(), expected.size());
  const auto [a, b] = std::mismatch(seen.begin(), seen.end(), expected.begin());
  EXPECT_TRUE(a == seen.end()) << what << ": byte " << a - seen.begin() << " is " << int(*a)
                               << ", not " << int(*b);
}

// The beginning and end of every kernel: all work-items fill local memory, and all read it.
constexpr const char* kCommon = R"(
  size_t item() {
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0)
           + get_local_id(0);
  }
  size_t items() { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
  void fill(local uchar* to, uint bytes) {
    for (size_t i = item(); i < bytes; i += items()) to[i] = 0xa5;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  void load(local uchar* to, const global uchar* from, uint bytes) {
    for (size_t i = item(); i < bytes; i += items()) to[i] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  void save(global uchar* to, const local uchar* from, uint bytes) {
    for (size_t i = item(); i < bytes; i += items()) to[i] = from[i];
  }
)";

class AsyncCopies : public DeviceTest {};

} // namespace conformance
