// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/kernel_units.h"

#include "runtime/core/options.h"
#include "runtime/device/limits.h"
#include "runtime/execution/work_group_size.h"
#include "runtime/program/compiler_host.h"
#include "runtime/program/unit_scheduler.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace heddle {

namespace {

// Of units that come from the cache, where another process has put better ones perhaps.
constexpr std::uint64_t kCachedBuildNanoseconds = 5'000'000;

bool allows_variants(const ProgramFile& program) {
  return options().VARIANTS != "off" &&
         std::ranges::find(program.options, "-cl-opt-disable") == program.options.end();
}

// Not 0.
std::uint64_t key_of(const KernelUnits::Launch& launch) {
  static_assert(limits::kWorkGroupSize < std::size_t{1} << 20);
  const auto& size = launch.local_size;
  auto key = (std::uint64_t{launch.has_long_rows} << 61) |
             (std::uint64_t{launch.has_whole_groups} << 60) | (size[2] << 40) | (size[1] << 20) |
             size[0];
  for (const auto& argument : launch.arguments)
    key = (key ^ argument.value) * 0x9e3779b97f4a7c15u + argument.index;
  return key | std::uint64_t{1} << 63;
}

// Whether programs cannot tell it from the usual unit.
bool can_replace(const Unit& plain) {
  const auto& kernel = plain.metadata();
  return !kernel.shows_sub_groups && !kernel.uses_device_queues && !kernel.checks_memory;
}

bool can_replace(const Unit& plain, const std::size_t (&local_size)[3]) {
  return can_replace(plain) &&
         local_size[0] * local_size[1] * local_size[2] <= max_group_size(plain.metadata());
}

} // namespace

bool forces_form() {
  return options().VARIANTS == "each" || options().WIDTH != 0 || options().ROWS != 0 ||
         options().BARRIERS == "fibers" || options().CHECK != Checks() ||
         compiler_host::shows_compilation();
}

// Reassociation and contraction may differ without optimizations, and results must not.
bool may_begin_plain(const ProgramFile& program) {
  return allows_variants(program) &&
         std::ranges::none_of(program.options, [](const std::string& option) {
           return option == "-cl-fast-relaxed-math" || option == "-cl-unsafe-math-optimizations" ||
                  option == "-cl-mad-enable";
         });
}

KernelUnits::KernelUnits(std::shared_ptr<const UnitSource> source, std::string kernel,
                         Specialization specialization)
    : source_(std::move(source)), kernel_(std::move(kernel)),
      specialization_(std::move(specialization)), may_vary_(allows_variants(*source_->program)),
      may_begin_plain_(heddle::may_begin_plain(*source_->program)),
      build_nanoseconds_(kCachedBuildNanoseconds) {}

KernelUnits::~KernelUnits() {
  if (build_)
    unit_scheduler::abandon(build_);
  if (plain_)
    unit_scheduler::abandon(plain_);
  for (const auto& special : special_)
    delete special.units.load(std::memory_order_relaxed);
}

void KernelUnits::start() {
  if (ready())
    return;
  const std::lock_guard lock(mutex_);
  if (!build_ && !load())
    unit_scheduler::start(build_);
}

const Unit* KernelUnits::find() {
  if (const auto* unit = ready())
    return unit;
  {
    const std::lock_guard lock(mutex_);
    if (!build_) {
      if (has_looked_ || !load()) {
        build_ = nullptr;
        has_looked_ = true;
        return nullptr;
      }
    } else if (!build_->is_done.load(std::memory_order_acquire)) {
      return nullptr;
    }
  }
  return need();
}

// Makes `build_`, of a unit that is in the cache or the program's file if this returns true.
bool KernelUnits::load() {
  build_ = std::make_shared<UnitBuild>(source_, kernel_, specialization_);
  auto found = find_unit(*build_);
  if (!found.unit)
    return false;
  build_->unit = std::move(found.unit);
  log_ = std::move(found.log);
  build_->variant.store(&build_->unit->variant(), std::memory_order_relaxed);
  build_->is_done.store(true, std::memory_order_relaxed);
  build_->state = UnitBuild::State::done;
  ready_.store(build_->unit.get(), std::memory_order_release);
  return true;
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
  if (build->processor_time.count() != 0)
    build_nanoseconds_.store(static_cast<std::uint64_t>(build->processor_time.count()),
                             std::memory_order_relaxed);
  ready_.store(build->unit.get(), std::memory_order_release);
  return build->unit.get();
}

BuildRef KernelUnits::plain_build() {
  const std::lock_guard lock(mutex_);
  if (!plain_) {
    Specialization specialization;
    specialization.is_plain = true;
    specialization.arguments = specialization_.arguments;
    plain_ = std::make_shared<UnitBuild>(source_, kernel_, specialization);
  }
  return plain_;
}

bool KernelUnits::is_built() const {
  const std::lock_guard lock(mutex_);
  return build_ && build_->is_done.load(std::memory_order_acquire);
}

UnitChoice KernelUnits::begin_plain(const std::size_t (&local_size)[3]) {
  if (!may_begin_plain_)
    return {};
  start();
  if (is_built())
    return {};
  BuildRef build;
  bool waits = false;
  {
    const std::lock_guard lock(mutex_);
    build = build_;
    waits = !std::exchange(has_waited_, true);
  }
  if (waits && unit_scheduler::need_within(build, std::chrono::milliseconds(options().PLAIN_AFTER)))
    return {};
  const auto plain = plain_build();
  unit_scheduler::need(plain);
  const auto* unit = plain->unit.get();
  if (!unit || !can_replace(*unit, local_size))
    return {};
  return until_ready(*unit);
}

const Unit* KernelUnits::plain_for_short(const std::size_t (&local_size)[3]) {
  if (!may_begin_plain_)
    return nullptr;
  start();
  if (is_built())
    return nullptr;
  const auto plain = plain_build();
  unit_scheduler::need(plain);
  const auto* unit = plain->unit.get();
  return unit && can_replace(*unit, local_size) ? unit : nullptr;
}

UnitChoice KernelUnits::until_ready(const Unit& plain) {
  start();
  BuildRef build;
  bool again = false;
  {
    const std::lock_guard lock(mutex_);
    build = build_;
    again = plain_ && plain_->processor_time.count() == 0; // found in the cache
  }
  if (build->is_done.load(std::memory_order_acquire))
    return {};
  unit_scheduler::start(build); // if it is the parent process that began it
  unit_scheduler::prefer(build, again);
  UnitChoice choice;
  choice.unit = &plain;
  choice.replacement = &build->variant;
  return choice;
}

UnitChoice KernelUnits::mixed(const std::size_t (&local_size)[3]) {
  if (!may_begin_plain_ || !need())
    return {};
  const auto plain = plain_build();
  unit_scheduler::need(plain);
  if (!plain->unit || !can_replace(*plain->unit, local_size))
    return {};
  UnitChoice choice;
  choice.unit = plain->unit.get();
  const std::lock_guard lock(mutex_);
  choice.replacement = &build_->variant;
  return choice;
}

// Null if there is no room, or no memory.
SpecialUnits* KernelUnits::find_special(const Unit& generic, const Launch& launch) {
  const auto key = key_of(launch);
  const auto slot = std::ranges::find_if(special_, [&](Special& special) {
    auto found = special.key.load(std::memory_order_relaxed);
    return found == key ||
           (found == 0 &&
            (special.key.compare_exchange_strong(found, key, std::memory_order_relaxed) ||
             found == key));
  });
  if (slot == special_.end())
    return nullptr;
  if (auto* units = slot->units.load(std::memory_order_acquire))
    return units;
  const std::lock_guard lock(mutex_);
  if (auto* units = slot->units.load(std::memory_order_relaxed))
    return units;
  try {
    auto specialization = specialization_;
    std::ranges::copy(launch.local_size, specialization.local_size.begin());
    specialization.has_whole_groups = launch.has_whole_groups;
    specialization.has_long_rows = launch.has_long_rows;
    specialization.arguments = launch.arguments;
    auto* units =
        new SpecialUnits(source_, kernel_, specialization, specialization != specialization_,
                         build_nanoseconds_.load(std::memory_order_relaxed));
    slot->units.store(units, std::memory_order_release);
    return units;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

UnitChoice KernelUnits::for_launches(const Unit& generic, const Launch& launch,
                                     std::atomic<std::uint64_t>*& used) noexcept {
  if (!may_vary_ || has_problem_.load(std::memory_order_relaxed))
    return {&generic};
  auto* units = find_special(generic, launch);
  // Hashes of other arguments may be equal.
  if (!units || units->specialization().arguments != launch.arguments)
    return {&generic};
  used = &units->used_nanoseconds();
  return units->choose(generic);
}

bool KernelUnits::may_stand_in() const {
  return may_vary_ && options().PLAIN_WORK != 0 && !forces_form();
}

const Unit* KernelUnits::stand_in() {
  if (!may_stand_in())
    return nullptr;
  const auto plain = plain_build();
  unit_scheduler::need(plain);
  const auto* unit = plain->unit.get();
  return unit && can_replace(*unit) ? unit : nullptr;
}

bool KernelUnits::has_any_width() {
  if (!may_stand_in())
    return false;
  const auto* unit = ready();
  return unit ? can_replace(*unit) : stand_in() != nullptr;
}

void KernelUnits::start_for_binary() {
  if (find())
    return;
  if (may_begin_plain_ && may_stand_in())
    unit_scheduler::start(plain_build());
  else
    start();
}

void KernelUnits::store_in(std::vector<StoredUnit>& units) {
  const auto get_choice = [this] {
    const std::lock_guard lock(mutex_);
    return in_binary_;
  };
  if (!get_choice()) {
    const bool is_plain = !find() && may_begin_plain_ && stand_in();
    if (!is_plain && !need())
      return;
    const std::lock_guard lock(mutex_);
    if (!in_binary_)
      in_binary_ = is_plain ? plain_ : build_;
  }
  const auto choice = get_choice();
  units.push_back({choice->key_in_binary(), write_program_file(choice->unit->file())});
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
