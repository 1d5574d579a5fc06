// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace heddle {

// The calling thread's modes of floating-point arithmetic. A kernel that ends at any instruction
// may be inside a function of the C library that has changed them, or that uses the x87 registers.
class FloatingPointModes {
 public:
  FloatingPointModes() noexcept;
  void restore() const noexcept;

 private:
  std::uint64_t words_[2] = {};
};

} // namespace heddle
