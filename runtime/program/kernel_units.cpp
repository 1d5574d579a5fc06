// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/kernel_units.h"

#include "runtime/core/options.h"
#include "runtime/device/limits.h"
#include "runtime/program/unit_scheduler.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

// Of units that come from the cache, where another process has put better ones perhaps.
constexpr std::uint64_t kCachedBuildNanoseconds = 5'000'000;

bool may_vary(const ProgramFile& program) {
  return options().VARIANTS != "off" &&
         std::ranges::find(program.options, "-cl-opt-disable") == program.options.end();
}

std::uint64_t pack(const std::size_t (&local_size)[3], bool has_whole_groups) {
  static_assert(limits::kWorkGroupSize < std::size_t{1} << 20);
  return (std::uint64_t{has_whole_groups} << 60) | (local_size[2] << 40) | (local_size[1] << 20) |
         local_size[0];
}

} // namespace

KernelUnits::KernelUnits(std::shared_ptr<const UnitSource> source, std::string kernel,
                         Specialization specialization)
    : source_(std::move(source)), kernel_(std::move(kernel)), specialization_(specialization),
      may_vary_(may_vary(*source_->program)), build_nanoseconds_(kCachedBuildNanoseconds) {}

KernelUnits::~KernelUnits() {
  if (build_)
    unit_scheduler::abandon(build_);
  for (const auto& sized : sized_)
    delete sized.units.load(std::memory_order_relaxed);
}

void KernelUnits::start() {
  if (ready())
    return;
  const std::lock_guard lock(mutex_);
  if (build_)
    return;
  auto build = std::make_shared<UnitBuild>(source_, kernel_, specialization_);
  if (auto found = find_unit(*build); found.unit) {
    build->unit = std::move(found.unit);
    log_ = std::move(found.log);
    build->state = UnitBuild::State::done;
    ready_.store(build->unit.get(), std::memory_order_release);
  } else {
    unit_scheduler::start(build);
  }
  build_ = std::move(build);
}

const Unit* KernelUnits::need() {
  if (const auto* unit = ready())
    return unit;
  BuildRef build;
  {
    const std::lock_guard lock(mutex_);
    if (!build_)
      build_ = std::make_shared<UnitBuild>(source_, kernel_, specialization_);
    build = build_;
  }
  unit_scheduler::need(build);
  const std::lock_guard lock(mutex_);
  log_ = build->log;
  has_problem_ = !build->unit || build->is_replaced;
  if (build->taken.count() != 0)
    build_nanoseconds_.store(static_cast<std::uint64_t>(build->taken.count()),
                             std::memory_order_relaxed);
  ready_.store(build->unit.get(), std::memory_order_release);
  return build->unit.get();
}

KernelUnits::Sized* KernelUnits::find_sized(std::uint64_t packed) {
  for (auto& sized : sized_) {
    auto found = sized.packed.load(std::memory_order_relaxed);
    if (found == 0 &&
        sized.packed.compare_exchange_strong(found, packed, std::memory_order_relaxed))
      return &sized;
    if (found == packed)
      return &sized;
  }
  return nullptr;
}

UnitChoice KernelUnits::for_local_size(const Unit& generic, const std::size_t (&local_size)[3],
                                       bool has_whole_groups,
                                       std::atomic<std::uint64_t>*& used) noexcept {
  if (!may_vary_ || has_problem_.load(std::memory_order_relaxed))
    return {&generic};
  auto* sized = find_sized(pack(local_size, has_whole_groups));
  if (!sized)
    return {&generic};
  auto* units = sized->units.load(std::memory_order_acquire);
  if (!units) {
    auto specialization = specialization_;
    if (generic.metadata().required_group_size[0] == 0) {
      std::ranges::copy(local_size, specialization.local_size.begin());
      specialization.has_whole_groups = has_whole_groups;
    }
    units = make_sized(*sized, specialization);
  }
  if (!units)
    return {&generic};
  used = &units->used_nanoseconds();
  return units->choose(generic);
}

// Null without memory.
SizedUnits* KernelUnits::make_sized(Sized& sized, const Specialization& specialization) {
  const std::lock_guard lock(mutex_);
  if (auto* units = sized.units.load(std::memory_order_relaxed))
    return units;
  try {
    auto* units =
        new SizedUnits(source_, kernel_, specialization,
                       build_nanoseconds_.load(std::memory_order_relaxed), sized_builds_left_);
    sized.units.store(units, std::memory_order_release);
    return units;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void KernelUnits::store_in(std::vector<StoredUnit>& units) const {
  const std::lock_guard lock(mutex_);
  if (const auto* unit = ready())
    units.push_back({build_->key_in_binary(), write_program_file(unit->file())});
}

std::string KernelUnits::log() const {
  const std::lock_guard lock(mutex_);
  return log_;
}

std::string KernelUnits::problem() const {
  const std::lock_guard lock(mutex_);
  return has_problem_ ? log_ : std::string();
}

} // namespace heddle
