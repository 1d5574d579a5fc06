// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/frame/workload.h"

#include <algorithm>
#include <charconv>

namespace heddle::bench {

namespace {
std::vector<Case>& cases() {
  static std::vector<Case> list;
  return list;
}
} // namespace

bool Workload::takes_any_group() const {
  for (const char* word : {"local", "group", "barrier"})
    if (source.find(word) != std::string::npos)
      return false;
  return !is_about_groups;
}

std::string text_of(const LocalSize& size) {
  std::string text;
  for (const auto part : size)
    text += (text.empty() ? "" : "x") + std::to_string(part);
  return text;
}

LocalSize parse_local_size(const std::string& text) {
  LocalSize size;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    size_t part = 0;
    const auto [rest, error] = std::from_chars(at, end, part);
    if (error != std::errc() || part == 0 || size.size() == 3)
      return {};
    size.push_back(part);
    if (rest == end)
      return size;
    if (*rest != 'x')
      return {};
    at = rest + 1;
  }
}

bool use_groups(Workload& workload, const LocalSize& size) {
  bool is_new = false;
  for (auto& step : workload.steps) {
    if (step.dimensions != size.size())
      continue;
    Sizes local{1, 1, 1};
    for (size_t d = 0; d != size.size(); ++d) {
      local[d] = size[d];
      if (step.global[d] % local[d] != 0)
        return false;
    }
    is_new |= step.local != local;
    step.local = local;
  }
  return is_new;
}

Register::Register(std::string name, std::function<std::unique_ptr<Workload>(Scale)> make) {
  cases().push_back({std::move(name), std::move(make)});
}

const std::vector<Case>& all_cases() {
  std::ranges::sort(cases(), {}, &Case::name);
  return cases();
}

} // namespace heddle::bench
