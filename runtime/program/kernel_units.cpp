// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/kernel_units.h"

#include "runtime/core/clock.h"
#include "runtime/core/lock.h"
#include "runtime/core/options.h"
#include "runtime/device/limits.h"
#include "runtime/execution/work_group_size.h"
#include "runtime/program/compiler_host.h"
#include "runtime/program/launch_work.h"
#include "runtime/program/unit_scheduler.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace heddle {

namespace {

// Of units that come from the cache, where another process has put better ones perhaps.
constexpr std::uint64_t kCachedBuildNanoseconds = 5'000'000;

// What is expected of the optimized build of a kernel that has a plain unit: an image of so many
// bytes has hardly any code, and the build takes so long for each further byte.
constexpr double kLeastBuildNanoseconds = 13'000'000;
constexpr std::size_t kBytesWithoutCode = 3500;
constexpr double kNanosecondsPerByte = 12'000;

// How long clCreateKernel gives a launch to come, and tell which unit is best, before the generic
// one is built.
constexpr std::chrono::milliseconds kSpeculationDelay{10};

// The expected time of a build that the end of a process may wait for again and again. Some take
// several times as long, and it waits for a second.
constexpr double kLongestAgain = 200'000'000;

// How long builds for launches that use little time wait: others may come that use more.
constexpr std::chrono::milliseconds kLittleUseDelay{250};

// A kernel whose launches have not used the time of the build is not expected to be launched again
// after so long without a launch.
constexpr std::chrono::milliseconds kLongestPause{100};

std::chrono::steady_clock::time_point expected_until(const unit_policy::Facts& facts, double used) {
  // Also false if nothing is known.
  if (!(used + facts.plain_time < facts.build_time))
    return std::chrono::steady_clock::time_point::max();
  const std::chrono::nanoseconds launch(static_cast<std::int64_t>(facts.plain_time));
  return std::chrono::steady_clock::now() + launch + kLongestPause;
}

double expected_build_time(std::size_t bytes) {
  const auto code = static_cast<double>(bytes - std::min(bytes, kBytesWithoutCode));
  return kLeastBuildNanoseconds + code * kNanosecondsPerByte;
}

// Since the build has begun; 0: it has not.
double time_taken(const UnitBuild* build) {
  const auto begun = build ? build->begun_at.load(std::memory_order_relaxed) : 0;
  return begun == 0 ? 0 : static_cast<double>(monotonic_nanoseconds() - begun);
}

unit_policy::State state_of(const UnitBuild* build) {
  using unit_policy::State;
  if (build && build->is_done.load(std::memory_order_acquire))
    return build->ready.load(std::memory_order_acquire) ? State::ready : State::failed;
  return build && build->begun_at.load(std::memory_order_relaxed) != 0 ? State::building
                                                                       : State::absent;
}

// Of a build that is expected to take so long; a build that exceeds it may take as long again as it
// has taken.
double time_left(const UnitBuild* build, double expected) {
  const auto taken = time_taken(build);
  return taken < expected ? expected - taken : taken;
}

bool allows_variants(const ProgramFile& program) {
  return options().VARIANTS != "off" &&
         std::ranges::find(program.options, "-cl-opt-disable") == program.options.end();
}

// Not 0.
std::uint64_t key_of(const KernelUnits::Launch& launch) {
  static_assert(limits::kWorkGroupSize < std::size_t{1} << 20);
  const auto& known = launch.known;
  const auto& size = known.local_size;
  auto key =
      (std::uint64_t{known.has_small_ids} << 62) | (std::uint64_t{known.has_long_rows} << 61) |
      (std::uint64_t{known.has_whole_groups} << 60) | (size[2] << 40) | (size[1] << 20) | size[0];
  for (std::size_t i = 0; i < known.argument_count; ++i)
    key = (key ^ known.arguments[i].value) * 0x9e3779b97f4a7c15u + known.arguments[i].index;
  return key | std::uint64_t{1} << 63;
}

// A generic unit that bridges the time of an own one is built beside that.
void start_target(const BuildRef& target, const BuildRef& own) {
  const bool is_beside = own && own != target && time_taken(own.get()) != 0;
  unit_scheduler::start(target, is_beside ? unit_scheduler::Urgency::better
                                          : unit_scheduler::Urgency::needed_soon);
}

// Whether programs cannot tell it from the usual unit.
bool can_replace(const Unit& plain) {
  const auto& kernel = plain.metadata();
  return !kernel.shows_sub_groups && !kernel.uses_device_queues && !kernel.checks_memory;
}

bool can_replace(const Unit& plain, const Specialization& known) {
  return can_replace(plain) && known.group_items() <= max_group_size(plain.metadata());
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
                         const Specialization& specialization)
    : source_(std::move(source)), kernel_(std::move(kernel)), specialization_(specialization),
      may_vary_(allows_variants(*source_->program)),
      may_begin_plain_(heddle::may_begin_plain(*source_->program)),
      build_nanoseconds_(kCachedBuildNanoseconds) {}

KernelUnits::~KernelUnits() {
  if (build_)
    unit_scheduler::abandon(build_);
  if (plain_)
    unit_scheduler::abandon(plain_);
  if (quick_)
    unit_scheduler::abandon(quick_);
  for (const auto& special : special_)
    delete special.units.load(std::memory_order_relaxed);
}

void KernelUnits::start() {
  if (ready())
    return;
  const Lock lock(mutex_);
  if (build_ || !load())
    unit_scheduler::start(build_);
}

const Unit* KernelUnits::find() {
  if (const auto* unit = ready())
    return unit;
  {
    const Lock lock(mutex_);
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
  build_->variant.store(&build_->unit->variant(), std::memory_order_release);
  build_->is_done.store(true, std::memory_order_release);
  build_->state = UnitBuild::State::done;
  ready_.store(build_->unit.get(), std::memory_order_release);
  return true;
}

const Unit* KernelUnits::need() {
  if (const auto* unit = ready())
    return unit;
  BuildRef build;
  {
    const Lock lock(mutex_);
    if (!build_)
      build_ = std::make_shared<UnitBuild>(source_, kernel_, specialization_);
    build = build_;
  }
  unit_scheduler::need(build);
  const Lock lock(mutex_);
  log_ = build->log;
  has_problem_ = !build->unit || build->is_replaced;
  if (build->processor_time.count() != 0)
    build_nanoseconds_.store(static_cast<std::uint64_t>(build->processor_time.count()),
                             std::memory_order_relaxed);
  ready_.store(build->unit.get(), std::memory_order_release);
  return build->unit.get();
}

BuildRef KernelUnits::make_plain(Effort effort) const {
  return std::make_shared<UnitBuild>(source_, kernel_,
                                     plain_specialization(effort, specialization_));
}

BuildRef KernelUnits::plain_build() {
  const Lock lock(mutex_);
  if (!plain_)
    plain_ = make_plain(Effort::none);
  return plain_;
}

BuildRef KernelUnits::quick_build() {
  const Lock lock(mutex_);
  if (!quick_)
    quick_ = make_plain(Effort::little);
  return quick_;
}

BuildRef KernelUnits::find_quick() const {
  const Lock lock(mutex_);
  return quick_;
}

void KernelUnits::expect() {
  if (ready())
    return;
  BuildRef build;
  {
    const Lock lock(mutex_);
    if (build_ || load())
      return;
    build = build_;
  }
  if (!has_first_units())
    return unit_scheduler::start(build);
  if (may_begin_plain_ && may_stand_in()) {
    const auto plain = plain_build();
    if (is_in_cache(*plain)) // an earlier process has launched it
      return;
    unit_scheduler::start(plain);
  }
  unit_scheduler::start_later(build, kSpeculationDelay);
}

void KernelUnits::expect(const Launch& launch) {
  if (ready())
    return;
  if (!has_first_units())
    return start();
  expect();
  auto* special = find_special(launch);
  const auto own = special ? special->first_build() : nullptr;
  if (!own || special->first() ||
      !unit_policy::decide(facts_of(launch, special, own)).target_is_own)
    return;
  withdraw_generic();
  unit_scheduler::start_later(own, kSpeculationDelay);
}

// Whether launches may have a unit of their own before any other is there.
bool KernelUnits::has_first_units() const { return may_vary_ && options().VARIANTS == "auto"; }

BuildRef KernelUnits::generic_build() {
  const Lock lock(mutex_);
  if (!build_)
    build_ = std::make_shared<UnitBuild>(source_, kernel_, specialization_);
  return build_;
}

UnitChoice KernelUnits::ready_for(const Launch& launch, std::atomic<std::uint64_t>*& used) {
  auto* special = find_special(launch);
  if (special) {
    used = &special->used_nanoseconds();
    if (const auto* own = special->first())
      return special->choose(*own);
  }
  const auto* generic = find();
  if (!generic)
    return {};
  return special ? special->choose(*generic) : UnitChoice{generic};
}

unit_policy::Facts KernelUnits::facts_of(const Launch& launch, SpecialUnits* special,
                                         const BuildRef& own) const {
  unit_policy::Facts facts;
  facts.may_have_own = own != nullptr;
  facts.chooses_size = launch.chooses_size;
  facts.may_begin_plain = launch.may_begin_plain && may_begin_plain_;
  facts.has_many_groups = launch.has_many_groups;
  facts.waits_for_best = launch.waits_for_best;
  facts.most_plain_time = options().PLAIN_WORK / kPlainInstructionsPerNanosecond;
  facts.compute_units = launch.compute_units;
  facts.build_time = kUsualBuildNanoseconds;
  facts.kinds = kinds_.load(std::memory_order_relaxed);
  if (special)
    facts.used = static_cast<double>(special->used_nanoseconds().load(std::memory_order_relaxed));
  facts.used_by_all = used_by_all();
  BuildRef generic, plain, quick;
  {
    const Lock lock(mutex_);
    generic = build_;
    plain = plain_;
    quick = quick_;
  }
  if (options().QUICK == "auto")
    facts.quick = state_of(quick.get());
  if (plain)
    if (const auto* unit = plain->ready.load(std::memory_order_acquire))
      facts.build_time = expected_build_time(unit->file().payload.size());
  // With a unit, it would not be asked.
  if (generic && generic->is_done.load(std::memory_order_acquire))
    facts.generic = unit_policy::State::failed;
  else if (generic && generic->begun_at.load(std::memory_order_relaxed) != 0)
    facts.generic = unit_policy::State::building;
  if (own)
    facts.own =
        own->is_done.load(std::memory_order_acquire) ? special->first_state() : state_of(own.get());
  facts.own_left = time_left(own.get(), facts.build_time);
  facts.own_taken = time_taken(own.get());
  facts.generic_left = time_left(generic.get(), facts.build_time);
  return facts;
}

double KernelUnits::used_by_all() const {
  auto nanoseconds = used_by_others_.load(std::memory_order_relaxed);
  for (const auto& special : special_)
    if (auto* units = special.units.load(std::memory_order_acquire))
      nanoseconds += units->used_nanoseconds().load(std::memory_order_relaxed);
  return static_cast<double>(nanoseconds);
}

// Null if programs could tell it from the usual unit, or if it cannot be built.
const Unit* KernelUnits::plain_for(const Launch& launch) {
  if (options().QUICK == "each")
    unit_scheduler::need(quick_build());
  if (const auto quick = find_quick())
    if (const auto* unit = quick->ready.load(std::memory_order_acquire);
        unit && can_replace(*unit, launch.known))
      return unit;
  const auto plain = plain_build();
  unit_scheduler::need(plain);
  // An earlier process has launched it, and has the quick unit, too, perhaps.
  if (options().QUICK == "auto" && plain->processor_time.count() == 0 && !find_quick()) {
    unit_scheduler::find(quick_build());
    return plain_for(launch);
  }
  const auto* unit = plain->unit.get();
  return unit && can_replace(*unit, launch.known) ? unit : nullptr;
}

// Whether the kernel's first launch with many groups has waited.
bool KernelUnits::is_waited_for() {
  const Lock lock(mutex_);
  return std::exchange(has_waited_, true);
}

UnitChoice KernelUnits::begin(const Launch& launch, const PlainTime& plain_time,
                              std::atomic<std::uint64_t>*& used) {
  using namespace unit_policy;
  auto* special = find_special(launch);
  if (!special)
    used = &used_by_others_;
  BuildRef own;
  if (special && has_first_units()) {
    const bool is_new = special->first_state() == State::absent;
    own = special->first_build();
    if (special->first()) // in the cache
      return ready_for(launch, used);
    if (is_new)
      kinds_.fetch_add(1, std::memory_order_relaxed);
  }
  auto facts = facts_of(launch, special, own);
  facts.plain_time = launch.least_plain_time;
  auto decision = decide(facts);
  auto target = decision.target_is_own ? own : generic_build();
  if (decision.target_is_own)
    withdraw_generic();
  if (decision.target != Priority::low)
    start_target(target, own);
  const Unit* plain = nullptr;
  const auto decide_with_plain = [&] {
    plain = plain_for(launch);
    facts = facts_of(launch, special, own);
    facts.may_begin_plain = plain != nullptr;
    facts.waits_for_others =
        facts.quick == State::absent && unit_scheduler::waits_for_others(target);
    facts.plain_time = plain ? plain_time(*plain) : kUnknown;
    decision = decide(facts);
    if (decision.target_is_own != (target == own))
      target = decision.target_is_own ? own : generic_build();
    if (decision.target != Priority::low)
      start_target(target, own);
  };
  if (decision.run == Run::plain)
    decide_with_plain();
  if (decision.run == Run::plain_after_a_wait) {
    const auto wait = std::chrono::milliseconds(options().PLAIN_AFTER);
    if (!is_waited_for() && unit_scheduler::need_within(target, wait))
      decision.run = Run::target;
    else if (!plain)
      decide_with_plain();
  }
  if (plain && (decision.run == Run::plain || decision.run == Run::plain_after_a_wait))
    if (const auto choice = until_ready(*plain, target, facts, decision); choice.unit)
      return choice;
  if (target == own) {
    unit_scheduler::need(target);
    if (special->first())
      return ready_for(launch, used);
  }
  const auto* generic = need();
  return generic ? ready_for(launch, used) : UnitChoice();
}

// The launch's own unit is better than the generic one, which nothing has asked for yet.
void KernelUnits::withdraw_generic() {
  BuildRef build;
  {
    const Lock lock(mutex_);
    build = build_;
  }
  if (build)
    unit_scheduler::withdraw(build);
}

UnitChoice KernelUnits::until_ready(const Unit& plain, const BuildRef& target,
                                    const unit_policy::Facts& facts,
                                    const unit_policy::Decision& decision) {
  if (target->is_done.load(std::memory_order_acquire))
    return {};
  bool is_again = false;
  {
    const Lock lock(mutex_);
    is_again = plain_ && plain_->processor_time.count() == 0; // found in the cache
  }
  const auto prefer = [&](const BuildRef& build, double used, double expected, bool is_urgent) {
    unit_scheduler::Launches launches;
    launches.again = is_again && expected < kLongestAgain;
    launches.nanoseconds = static_cast<std::uint64_t>(used);
    launches.build_time = facts.build_time;
    launches.reserves_processor = decision.target == unit_policy::Priority::reserved;
    launches.is_urgent = is_urgent;
    launches.expected_until = expected_until(facts, used);
    // Also if it is the parent process that began it.
    if (is_urgent)
      unit_scheduler::start(build);
    else
      unit_scheduler::start_later(build, kLittleUseDelay);
    unit_scheduler::prefer(build, launches);
  };
  UnitChoice choice;
  choice.unit = &plain;
  choice.replacement = &target->variant;
  auto quick = decision.builds_quick ? quick_build() : find_quick();
  if (quick && !quick->is_done.load(std::memory_order_acquire)) {
    if (decision.builds_quick || facts.quick == unit_policy::State::building)
      prefer(quick, facts.used_by_all, 0, true);
    choice.bridge = &quick->variant;
  }
  prefer(target, facts.used_for(decision.target_is_own), facts.build_time,
         decision.target != unit_policy::Priority::low);
  return choice;
}

UnitChoice KernelUnits::mixed(const Launch& launch) {
  if (!may_begin_plain_)
    return {};
  auto* special = has_first_units() ? find_special(launch) : nullptr;
  auto target = special ? special->first_build() : nullptr;
  if (target)
    unit_scheduler::need(target);
  if (!target || !special->first()) {
    if (!need())
      return {};
    target = generic_build();
  }
  const auto* plain = plain_for(launch);
  if (!plain)
    return {};
  UnitChoice choice;
  choice.unit = plain;
  choice.replacement = &target->variant;
  return choice;
}

// Null if there is no room, or no memory.
SpecialUnits* KernelUnits::find_special(const Launch& launch) {
  if (!may_vary_ || has_problem_.load(std::memory_order_relaxed))
    return nullptr;
  auto* units = slot_of(launch);
  // Hashes of other arguments may be equal.
  return units && (launch.known.argument_count == 0 ||
                   units->specialization().arguments == launch.known.arguments)
             ? units
             : nullptr;
}

SpecialUnits* KernelUnits::slot_of(const Launch& launch) {
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
  const Lock lock(mutex_);
  if (auto* units = slot->units.load(std::memory_order_relaxed))
    return units;
  try {
    auto known = launch.known;
    known.has_disjoint_arguments = specialization_.has_disjoint_arguments;
    auto* units = new SpecialUnits(source_, kernel_, known,
                                   build_nanoseconds_.load(std::memory_order_relaxed));
    slot->units.store(units, std::memory_order_release);
    return units;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
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

const Unit* KernelUnits::estimated() {
  const auto plain = plain_build();
  unit_scheduler::need(plain);
  return plain->unit.get();
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
    const Lock lock(mutex_);
    return in_binary_;
  };
  if (!get_choice()) {
    const bool is_plain = !find() && may_begin_plain_ && stand_in();
    if (!is_plain && !need())
      return;
    const Lock lock(mutex_);
    if (!in_binary_)
      in_binary_ = is_plain ? plain_ : build_;
  }
  const auto choice = get_choice();
  units.push_back({choice->key_in_binary(), write_program_file(choice->unit->file())});
}

std::string KernelUnits::log() const {
  const Lock lock(mutex_);
  return log_;
}

std::string KernelUnits::problem() const {
  const Lock lock(mutex_);
  return has_problem_ ? log_ : std::string();
}

} // namespace heddle
