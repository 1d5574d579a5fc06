// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/frame/workload.h"

#include <algorithm>

namespace heddle::bench {

namespace {
std::vector<Case>& cases() {
  static std::vector<Case> list;
  return list;
}
} // namespace

Register::Register(std::string name, std::function<std::unique_ptr<Workload>(Scale)> make) {
  cases().push_back({std::move(name), std::move(make)});
}

const std::vector<Case>& all_cases() {
  std::ranges::sort(cases(), {}, &Case::name);
  return cases();
}

} // namespace heddle::bench
