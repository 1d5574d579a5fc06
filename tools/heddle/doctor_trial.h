// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver and its compiler beside this command, tried without any loader.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::doctor {

struct Trial {
  std::string version;      // of the driver
  std::string llvm_version; // of the compiler
  std::uint64_t build_microseconds = 0;
  std::uint64_t width = 0; // work-items of a sub-group of the kernel that was run
  std::string log;         // of the build; empty where all is well
  std::string failure;     // what went wrong; empty: the kernel was built, not from the cache, and
                           // its results are right
};

Trial try_driver(const std::string& driver, const std::string& compiler);

} // namespace heddle::doctor
