// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/order_checks.h"

#include "runtime/execution/group_order.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace heddle {
namespace {

std::atomic<std::uint64_t> next_serial{1};

// The state that this thread has used last.
struct Cached {
  std::uint64_t serial;
  const abi::Worker* worker;
  GroupOrder* state;
};
thread_local constinit Cached cached{};

std::string triple(const std::uint64_t (&id)[3], std::uint64_t dimensions) {
  std::string text;
  for (std::uint64_t d = 0; d < dimensions; ++d)
    text.append(d != 0 ? ", " : "(").append(std::to_string(id[d]));
  return text + ")";
}

void to_group_id(const abi::Launch& launch, std::uint64_t group, std::uint64_t (&id)[3]) {
  const auto* count = launch.group_count;
  id[0] = group % count[0];
  id[1] = group / count[0] % count[1];
  id[2] = group / count[0] / count[1];
}

std::string kind_of(AccessKind kind) {
  switch (kind) {
  case AccessKind::read:
    return "load";
  case AccessKind::write:
    return "store";
  default:
    return "atomic operation";
  }
}

} // namespace

std::string name_of_item(const abi::Launch& launch, std::uint64_t group, std::uint32_t item) {
  std::uint64_t group_id[3];
  to_group_id(launch, group, group_id);
  std::uint64_t size[3];
  for (int d = 0; d < 3; ++d)
    size[d] = std::max<std::uint64_t>(
        1,
        std::min(launch.local_size[d], launch.global_size[d] - group_id[d] * launch.local_size[d]));
  std::uint64_t id[3] = {item % size[0], item / size[0] % size[1], item / size[0] / size[1]};
  for (int d = 0; d < 3; ++d)
    id[d] += group_id[d] * launch.local_size[d] + launch.global_offset[d];
  return "work-item " + triple(id, launch.work_dim);
}

OrderChecks::OrderChecks(bool finds_races, bool finds_divergence, std::uint32_t width,
                         DescribeMemory describe)
    : finds_races_(finds_races), finds_divergence_(finds_divergence), width_(width),
      describe_(std::move(describe)), shadow_(std::make_unique<LaunchShadow>()),
      serial_(next_serial.fetch_add(1, std::memory_order_relaxed)) {}

OrderChecks::~OrderChecks() = default;

GroupOrder& OrderChecks::state_of(const abi::Worker& worker) {
  if (cached.serial == serial_ && cached.worker == &worker)
    return *cached.state;
  const std::lock_guard lock(mutex_);
  auto& state = states_[&worker];
  if (!state)
    state = std::make_unique<GroupOrder>(*this, worker);
  cached = {serial_, &worker, state.get()};
  return *state;
}

bool OrderChecks::passes(const abi::CheckHeader& record, const abi::Worker& worker,
                         const abi::Launch& launch, std::string& message) {
  message = state_of(worker).add(record, launch);
  return message.empty();
}

std::uint32_t OrderChecks::number_of(const char* place) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] =
      numbers_.try_emplace(place, static_cast<std::uint32_t>(places_.size()));
  if (is_new) {
    if (known->second > AccessMark::kMostSite) // so many lines share the last number
      known->second = AccessMark::kMostSite;
    else
      places_.push_back(place);
  }
  return known->second;
}

void OrderChecks::report(const Race& race, const abi::Launch& launch) {
  const std::lock_guard lock(mutex_);
  const auto [low, high] = std::minmax({race.earlier.site(), race.later.site()});
  if (!reported_.insert(std::uint64_t{high} << 32 | low).second)
    return;
  const auto access = [&](const AccessMark& mark) {
    const auto at = std::string(" at ") + places_[mark.site()] + " by ";
    std::uint64_t group[3];
    to_group_id(launch, mark.group(), group);
    return mark.item() == AccessMark::kMostItem
               ? "async copy" + at + "group " + triple(group, launch.work_dim)
               : kind_of(mark.kind()) + at + name_of_item(launch, mark.group(), mark.item());
  };
  races_.push_back("data race on " + describe_(race.address, race.bytes, race.local_memory) +
                   " in " + (race.is_local ? "local" : "global") +
                   " memory: " + access(race.later) + " and " + access(race.earlier) +
                   (race.later.group() == race.earlier.group()
                        ? " of the same group, with no barrier between them"
                        : " of another group"));
}

std::vector<std::string> OrderChecks::take_races() {
  const std::lock_guard lock(mutex_);
  auto races = std::exchange(races_, {});
  std::sort(races.begin(), races.end());
  reported_.clear();
  states_.clear();
  shadow_ = std::make_unique<LaunchShadow>();
  releases_.clear();
  serial_ = next_serial.fetch_add(1, std::memory_order_relaxed);
  return races;
}

} // namespace heddle
