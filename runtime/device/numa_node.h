// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

namespace heddle::numa {

struct Node {
  int number = 0; // the system's
  std::vector<int> cpus;
};

} // namespace heddle::numa
