// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/order_checks.h"

#include "runtime/core/lock.h"
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
      describe_(std::move(describe)), serial_(next_serial.fetch_add(1, std::memory_order_relaxed)) {
}

OrderChecks::~OrderChecks() = default;

GroupOrder& OrderChecks::state_of(const abi::Worker& worker) {
  if (cached.serial == serial_ && cached.worker == &worker)
    return *cached.state;
  const Lock lock(mutex_);
  auto& state = states_[&worker];
  if (!state)
    state = std::make_unique<GroupOrder>(*this, worker);
  cached = {serial_, &worker, state.get()};
  return *state;
}

checks::Problem OrderChecks::check(const abi::CheckHeader& record, const abi::Worker& worker,
                                   const abi::Launch& launch) {
  return state_of(worker).add(record, launch);
}

abi::RaceThread& OrderChecks::begin(const abi::Worker& worker, const abi::Launch& launch) {
  return state_of(worker).begin(launch);
}

// So many share the last number.
void OrderChecks::add_place(const char* place) {
  if (places_.size() <= AccessMark::kMaxSite)
    places_.push_back(place);
}

std::uint32_t OrderChecks::number_of(const char* place) {
  const Lock lock(mutex_);
  const auto [known, is_new] =
      numbers_.try_emplace(place, static_cast<std::uint32_t>(places_.size()));
  if (is_new)
    add_place(place);
  return known->second;
}

std::uint32_t OrderChecks::add_sites(const abi::RaceSites& sites) {
  const Lock lock(mutex_);
  const auto [known, is_new] =
      numbers_.try_emplace(&sites, static_cast<std::uint32_t>(places_.size()));
  if (is_new)
    for (std::uint64_t i = 0; i < sites.count; ++i)
      add_place(sites.places()[i]);
  return known->second;
}

// Which of the two ran first is no matter: it is chance.
bool OrderChecks::are_ordered(const AccessMark& a, const AccessMark& b) {
  return (a.has_acquired() && releases_.has_released(b.group())) ||
         (b.has_acquired() && releases_.has_released(a.group()));
}

// Finds the conflicts of groups that different threads have run.
void OrderChecks::compare_threads() {
  if (!finds_races_ || states_.size() < 2)
    return;
  std::unordered_map<std::uint64_t, std::vector<GroupOrder*>> pages;
  for (const auto& entry : states_) {
    auto* thread = entry.second.get();
    thread->shadow().for_each_page([&](const RaceShadow::Page& page) {
      if (!page.is_local())
        pages[page.number()].push_back(thread);
    });
  }
  for (const auto& [number, threads] : pages)
    if (threads.size() > 1)
      compare_page(number, threads);
}

void OrderChecks::compare_page(std::uint64_t number, const std::vector<GroupOrder*>& threads) {
  std::vector<RaceShadow::Page*> pages;
  pages.reserve(threads.size());
  for (auto* thread : threads)
    pages.push_back(thread->shadow().find(number));
  const auto has_bytes = [](const RaceShadow::Page* page) { return page->unit() == 1; };
  if (std::ranges::any_of(pages, has_bytes))
    for (auto* page : pages)
      if (!has_bytes(page))
        page->split();
  const auto unit = pages[0]->unit();
  for (std::size_t i = 0; i < pages[0]->size(); ++i) {
    const auto owners = std::ranges::count_if(
        pages, [&](RaceShadow::Page* page) { return page->last(i).bits != 0; });
    if (owners < 2)
      continue;
    AccessCell cell;
    for (std::size_t t = 0; t < threads.size(); ++t)
      threads[t]->for_each_access(*pages[t], i, [&](const AccessMark& mark, StoredValue value) {
        cell.add(
            mark, value, [](const AccessMark& known) { return known.group(); },
            [&](const AccessMark& earlier) { return are_ordered(earlier, mark); },
            [&](const AccessMark& earlier) {
              report({earlier, mark, number * RaceShadow::kPageBytes + i * unit, unit, 0, false},
                     threads[t]->launch());
            });
      });
  }
}

void OrderChecks::report(const Race& race, const abi::Launch& launch) {
  const Lock lock(mutex_);
  const auto [low, high] = std::minmax({race.earlier.site(), race.later.site()});
  if (!reported_.insert(std::uint64_t{high} << 32 | low).second)
    return;
  const auto access = [&](const AccessMark& mark) HEDDLE_REQUIRES(mutex_) {
    const auto at = std::string(" at ") + places_[mark.site()] + " by ";
    std::uint64_t group[3];
    to_group_id(launch, mark.group(), group);
    return mark.item() == AccessMark::kMaxItem
               ? "async copy" + at + "group " + triple(group, launch.work_dim)
               : kind_of(mark.kind()) + at + name_of_item(launch, mark.group(), mark.item());
  };
  races_.push_back({"data race on " + describe_(race.address, race.bytes, race.local_memory) +
                        " in " + (race.is_local ? "local" : "global") +
                        " memory: " + access(race.later) + " and " + access(race.earlier) +
                        (race.later.group() == race.earlier.group()
                             ? " of the same group, with no barrier between them"
                             : " of another group"),
                    places_[race.later.site()], places_[race.earlier.site()]});
}

std::vector<checks::Problem> OrderChecks::take_races() {
  compare_threads();
  const Lock lock(mutex_);
  auto races = std::exchange(races_, {});
  std::ranges::sort(races, {}, &checks::Problem::text);
  reported_.clear();
  states_.clear();
  releases_.clear();
  serial_ = next_serial.fetch_add(1, std::memory_order_relaxed);
  return races;
}

} // namespace heddle
