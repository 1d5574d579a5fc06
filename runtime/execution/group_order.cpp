// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/group_order.h"

#include "runtime/execution/worker_thread.h"

#include <algorithm>
#include <new>
#include <utility>

namespace heddle {
namespace {

using abi::CheckedCall;

} // namespace

GroupOrder::GroupOrder(OrderChecks& checks, const abi::Worker& worker)
    : abi::RaceThread{access_of_kernel, meet_of_kernel}, checks_(checks), worker_(worker),
      pairs_(checks.width() == 1) {}

void GroupOrder::begin_group() {
  const auto& now = worker_.current_group;
  std::uint64_t count = 1, groups = 1;
  for (int d = 0; d < 3; ++d) {
    count *=
        std::min(launch_->local_size[d], launch_->global_size[d] - now[d] * launch_->local_size[d]);
    groups *= launch_->group_count[d];
  }
  is_alone_ = groups == 1;
  if (local_memory_ != worker_.bounds[0]) {
    local_memory_ = worker_.bounds[0];
    shadow_.forget_local();
    std::fill(std::begin(slots_), std::end(slots_), Slot());
  }
  // Behind so many epochs, which take an hour at least, nothing is checked.
  if (last_epoch_ < LastAccess::kMaxEpoch)
    first_epoch_ = ++last_epoch_;
  epochs_.assign(last_epoch_ < LastAccess::kMaxEpoch ? count : 0, {{first_epoch_, first_epoch_}});
  group_ = (now[2] * launch_->group_count[1] + now[1]) * launch_->group_count[0] + now[0];
  note_group(group_, first_epoch_);
  has_meetings_ = false;
  met_ = 0;
  copies_.clear();
  item_order_.clear();
  item_releases_.clear();
  order_ = ReleaseState();
  std::copy(std::begin(now), std::end(now), group_id_);
}

void GroupOrder::note_group(std::uint64_t group, std::uint32_t epoch) {
  if (!runs_.empty()) {
    auto& run = runs_.back();
    const auto groups = group - run.group;
    if (groups == 1 && run.epochs == 0) {
      run.epochs = epoch - run.epoch;
      return;
    }
    if (run.epochs != 0 && epoch - run.epoch == groups * run.epochs)
      return;
  }
  runs_.push_back({group, epoch, 0});
}

std::uint64_t GroupOrder::group_of(std::uint32_t epoch) const {
  const auto next =
      std::upper_bound(runs_.begin(), runs_.end(), epoch,
                       [](std::uint32_t value, const GroupRun& run) { return value < run.epoch; });
  const auto& run = *(next - 1);
  return run.group + (run.epochs == 0 ? 0 : (epoch - run.epoch) / run.epochs);
}

bool GroupOrder::enter(const abi::RaceSites* sites) {
  const WorkerThread::RuntimeCall call;
  try {
    if (!is_in_group())
      begin_group();
    if (sites != sites_) {
      first_site_ = checks_.add_sites(*sites);
      sites_ = sites;
    }
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

checks::Problem GroupOrder::add(const abi::CheckHeader& record, const abi::Launch& launch) {
  launch_ = &launch;
  if (!is_in_group())
    begin_group();
  const auto item = static_cast<std::uint32_t>(operands(record)[record.operand_count - 1].value);
  if (item >= epochs_.size())
    return {};
  if (record.call == CheckedCall::meeting)
    return add_meeting(record, item);
  if (record.call == CheckedCall::ended) {
    begin_meetings();
    return meetings_.end(item, [&](std::uint32_t i) { return name_of(i); });
  }
  if (record.call == CheckedCall::fence)
    add_fence(operands(record)[0].value, item);
  else
    add_access(record, item);
  return {};
}

void GroupOrder::add_fence(std::uint64_t order, std::uint32_t item) {
  item_order_.resize(epochs_.size());
  item_releases_.add_fence(order, item, item_order_[item]);
  checks_.releases().add_fence(order, group_, order_);
}

void GroupOrder::add_atomic(std::uint64_t address, std::uint64_t order, std::uint32_t item) {
  item_order_.resize(epochs_.size());
  item_releases_.add_atomic(address, order, item, item_order_[item]);
  if (!is_local(address))
    checks_.releases().add_atomic(address, order, group_, order_);
}

void GroupOrder::begin_meetings() {
  if (!std::exchange(has_meetings_, true))
    meetings_.begin_group(static_cast<std::uint32_t>(epochs_.size()));
}

checks::Problem GroupOrder::add_meeting(const abi::CheckHeader& record, std::uint32_t item) {
  begin_meetings();
  const auto* given = operands(record);
  const auto order = given[2].value;
  auto arrival = meetings_.arrive(record, [&](std::uint32_t i) { return name_of(i); });
  if (!arrival.error.empty() && checks_.finds_divergence())
    return arrival.error;
  if (!checks_.finds_races())
    return {};
  auto& epochs = epochs_[item];
  if (arrival.is_first && given[3].value != abi::kNoCopy) {
    const Copy copy{record.place, copy_sides(static_cast<CheckedCall>(given[3].value),
                                             given + kMeetingArguments)};
    if (!copy.sides.is_empty()) {
      add_copy(copy, epochs);
      copies_.push_back(copy);
    }
  }
  add_barrier(order, item, arrival.is_last);
  return {};
}

void GroupOrder::add_barrier(std::uint64_t order, std::uint32_t item, bool is_last) {
  auto& epochs = epochs_[item];
  epochs.of[kLocal] += (order & abi::kOrdersLocal) != 0;
  epochs.of[kGlobal] += (order & abi::kOrdersGlobal) != 0;
  last_epoch_ = std::max({last_epoch_, epochs.of[kLocal], epochs.of[kGlobal]});
  if ((order & abi::kOrdersDevice) != 0)
    checks_.releases().add_fence(abi::kAccessAcquires | abi::kAccessReleases, group_, order_);
  if (is_last) {
    if ((order & abi::kWaitsForCopies) != 0)
      copies_.clear();
    else if ((order & (abi::kOrdersLocal | abi::kOrdersGlobal)) != 0)
      for (const auto& copy : copies_) // which still are not complete behind a barrier
        add_copy(copy, epochs);
  }
  if (last_epoch_ >= LastAccess::kMaxEpoch)
    epochs_.clear();
}

HEDDLE_NO_THREAD_SANITIZER void
GroupOrder::meet_of_kernel(abi::RaceThread* thread, std::uint64_t order, std::uint64_t item) {
  auto& self = *static_cast<GroupOrder*>(thread);
  if (!self.is_in_group() && !self.enter(self.sites_))
    return;
  if (item >= self.epochs_.size())
    return;
  const bool is_last = ++self.met_ == self.epochs_.size();
  if (is_last)
    self.met_ = 0;
  const auto add = [&] { self.add_barrier(order, static_cast<std::uint32_t>(item), is_last); };
  if ((order & abi::kOrdersDevice) == 0 && (!is_last || self.copies_.empty()))
    return add();
  const WorkerThread::RuntimeCall call;
  try {
    add();
  } catch (const std::bad_alloc&) { // the copies are not known
  }
}

} // namespace heddle
