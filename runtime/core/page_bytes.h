// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <unistd.h>

namespace heddle {

// Of the system's pages, in which memory is mapped and protected: 4 KiB on x86-64; on Arm also 16
// or 64 KiB.
inline std::size_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

} // namespace heddle
