// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that LLVM takes from glibc and that glibc 2.35 does not have. Hidden: they are this
// library's alone.
#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

// glibc 2.36. LLVM names temporary files with it.
extern "C" __attribute__((visibility("hidden"))) std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  if (getrandom(&value, sizeof value, 0) != static_cast<ssize_t>(sizeof value))
    std::abort(); // as glibc's own: there is no source of random numbers
  return value;
}
