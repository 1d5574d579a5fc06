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
    if (sized.build)
      unit_scheduler::abandon(sized.build);
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

const Unit* KernelUnits::for_local_size(const Unit& generic, const std::size_t (&local_size)[3],
                                        bool has_whole_groups, std::atomic<std::uint64_t>*& used) {
  if (!may_vary_ || generic.metadata().required_group_size[0] != 0)
    return &generic;
  auto* sized = find_sized(pack(local_size, has_whole_groups));
  if (!sized)
    return &generic;
  const auto* build = sized->asked.load(std::memory_order_acquire);
  const auto* unit = build ? build->ready.load(std::memory_order_acquire) : nullptr;
  if (unit)
    return unit;
  used = &sized->used_nanoseconds;
  static const bool is_eager = options().VARIANTS == "each";
  if (is_eager || sized->used_nanoseconds.load(std::memory_order_relaxed) >=
                      build_nanoseconds_.load(std::memory_order_relaxed)) {
    auto specialization = specialization_;
    std::ranges::copy(local_size, specialization.local_size.begin());
    specialization.has_whole_groups = has_whole_groups;
    unit = ask_for(*sized, specialization);
  }
  return unit ? unit : &generic;
}

// Asks again after as much time, because the build of before may have ended with a fork.
const Unit* KernelUnits::ask_for(Sized& sized, const Specialization& specialization) {
  BuildRef build;
  {
    const std::lock_guard lock(mutex_);
    sized.used_nanoseconds.store(0, std::memory_order_relaxed);
    if (has_problem_ || (!sized.build && sized_builds_ == kMostSizedBuilds))
      return nullptr;
    if (!sized.build) {
      sized.build = std::make_shared<UnitBuild>(source_, kernel_, specialization);
      sized.asked.store(sized.build.get(), std::memory_order_release);
      ++sized_builds_;
    }
    build = sized.build;
  }
  if (options().VARIANTS == "each")
    unit_scheduler::need(build);
  else
    unit_scheduler::start(build, unit_scheduler::Urgency::better);
  return build->ready.load(std::memory_order_acquire);
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
