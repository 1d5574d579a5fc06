// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/special_units.h"

#include "runtime/core/lock.h"
#include "runtime/core/options.h"
#include "runtime/execution/work_group_size.h"
#include "runtime/program/cache.h"
#include "runtime/program/unit_scheduler.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <limits>
#include <new>
#include <span>

namespace heddle {
namespace {

// What the compiler accepts.
constexpr std::uint64_t kMaxRows = 8;
constexpr auto kNever = std::numeric_limits<std::uint64_t>::max();
// Builds for comparison take at most one part in so many of the processor time that the launches
// use (less where kernels leave no processor idle, by their priority), and groups that run in
// slower units likewise.
constexpr std::uint64_t kUsedPerBuild = 4;
constexpr std::uint64_t kUsedPerLoss = 50;
// How much more time the launches use before an unfinished build or trial is looked at again.
constexpr std::uint64_t kPollNanoseconds = 500'000;
// A kernel that took longer to build has so much code that wider variants would take minutes.
constexpr std::uint64_t kLongestBuild = 2'000'000'000;
// Long code takes about so many times as long to build.
constexpr std::uint64_t kLongerBuild = 8;
// A build for comparison that takes twice as long as that, and longer than this, is given up: wide
// vectors of code with many branches can take a hundred times as long.
constexpr std::uint64_t kTooLongBuild = 2 * kLongerBuild;
constexpr std::uint64_t kLeastTooLong = 1'000'000'000;

bool is_exhaustive() { return options().TUNE == "full"; }

bool may_search() { return options().TUNE != "off" && options().WIDTH == 0 && options().ROWS == 0; }

// Where checks tell work-items apart there is only one form.
bool tells_items_apart(const KernelMetadata& kernel) {
  return kernel.checks_memory && (options().CHECK.race || options().CHECK.divergence);
}

bool may_search(const KernelMetadata& kernel) {
  return may_search() && (!kernel.has_fixed_width || kernel.may_have_long_code) &&
         !tells_items_apart(kernel) && !kernel.uses_device_queues &&
         std::ranges::none_of(kernel.arguments, [](const auto& argument) {
           return argument.kind == ArgumentKind::pipe; // may wait for other kernels
         });
}

// Of groups with so many of them.
std::uint32_t most_rows(std::uint64_t count) {
  const auto whole = std::uint64_t{1} << std::countr_zero(count);
  return static_cast<std::uint32_t>(std::min(whole, kMaxRows));
}

VariantShape shape_of(const Unit& unit, bool has_long_code = false) {
  const auto& kernel = unit.metadata();
  return {kernel.vector_width, kernel.row_interleave, kernel.has_swapped_dimensions, has_long_code};
}

// Of the kernel, in whatever program. What was best in groups of one size, of which the search
// tells, is the first guess for others.
DigestValue search_key(const UnitSource& source, const std::string& kernel, const char* purpose,
                       const Specialization& launches) {
  return Digest()
      .add(purpose)
      .add(std::as_bytes(std::span(source.kernels.at(kernel))))
      .add(std::as_bytes(std::span(&launches, 1)))
      .value();
}
DigestValue hint_key(const UnitSource& source, const std::string& kernel) {
  return search_key(source, kernel, "hint", {});
}

// If groups of that size can have it.
std::optional<VariantShape> find_hint(const UnitSource& source, const std::string& kernel,
                                      const std::array<std::uint64_t, 3>& local_size) {
  const auto found = Cache::instance().find_hint(hint_key(source, kernel));
  const auto search = found ? VariantSearch::from_text(*found) : std::nullopt;
  if (!search)
    return std::nullopt;
  auto shape = search->best();
  shape.has_long_code = false; // depends on the size
  const auto across = local_size[shape.is_swapped ? 0 : 1];
  if (across == 0 || shape.rows > most_rows(across) || (shape.is_swapped && local_size[1] < 2))
    return std::nullopt;
  return shape;
}

// Of launches that have used so much time in the generic unit.
bool is_worth_a_build(std::uint64_t used, std::uint64_t build_nanoseconds) {
  unit_policy::Facts facts;
  facts.may_have_own = true;
  facts.generic = unit_policy::State::ready;
  facts.used = static_cast<double>(used);
  facts.build_time = options().VARIANTS == "each" ? 0 : static_cast<double>(build_nanoseconds);
  return unit_policy::decide(facts).target_is_own;
}

std::string describe(const VariantShape& shape) {
  return std::to_string(shape.lanes) + " lanes" +
         (shape.is_swapped ? " in the second dimension" : "") + ", " + std::to_string(shape.rows) +
         (shape.rows == 1 ? " row" : " rows") + (shape.has_long_code ? ", long code" : "");
}

} // namespace

SpecialUnits::SpecialUnits(std::shared_ptr<const UnitSource> source, std::string kernel,
                           const Specialization& specialization, std::uint64_t build_nanoseconds)
    : source_(std::move(source)), kernel_(std::move(kernel)), specialization_(specialization),
      advance_at_(options().VARIANTS == "each" ? 0 : build_nanoseconds),
      builds_nanoseconds_(build_nanoseconds), longest_nanoseconds_(build_nanoseconds) {}

SpecialUnits::~SpecialUnits() {
  if (build_)
    unit_scheduler::abandon(build_);
}

UnitChoice SpecialUnits::choose(const Unit& generic) noexcept {
  const auto* choice = choice_.load(std::memory_order_acquire);
  const auto used = used_.load(std::memory_order_relaxed);
  if (used >= advance_at_.load(std::memory_order_relaxed) ||
      (choice && choice->trial && !choice->trial->is_open())) {
    std::unique_lock lock(mutex_, std::try_to_lock);
    try {
      while (lock && advance(generic)) {
      }
    } catch (const std::exception&) { // no memory for better units
      advance_at_.store(used + longest_nanoseconds_, std::memory_order_relaxed);
    }
    choice = choice_.load(std::memory_order_acquire);
  }
  if (!choice)
    return {&generic};
  // Groups that run in a slower unit must not add up.
  if (choice->trial && !is_exhaustive() && choice->trial->lost_nanoseconds() > used / kUsedPerLoss)
    return {choice->unit};
  return *choice;
}

// True if more can be done at once.
bool SpecialUnits::advance(const Unit& generic) {
  const auto used = used_.load(std::memory_order_relaxed);
  if (phase_ == Phase::end)
    return advance_at_.store(kNever, std::memory_order_relaxed), false;
  if (!trials_.empty() && choices_.back().trial) {
    if (trials_.back().is_open())
      return advance_at_.store(used + kPollNanoseconds, std::memory_order_relaxed), false;
    end_trial();
    return true;
  }
  if (!build_)
    return begin_build(generic);
  const bool is_first = phase_ == Phase::generic;
  const bool is_expected_better = is_first || is_longer();
  if (is_first ? options().VARIANTS == "each" : is_exhaustive())
    unit_scheduler::need(build_);
  else // again, because a fork ends builds
    unit_scheduler::start(build_, is_expected_better ? unit_scheduler::Urgency::better
                                                     : unit_scheduler::Urgency::comparison);
  if (is_expected_better && !build_->is_done.load(std::memory_order_acquire)) {
    // The next process should have it, if this one ends before it is done.
    unit_scheduler::Launches launches;
    launches.nanoseconds = used;
    launches.build_time = static_cast<double>(longest_nanoseconds_);
    unit_scheduler::prefer(build_, launches);
  }
  if (!build_->is_done.load(std::memory_order_acquire))
    return advance_at_.store(used + kPollNanoseconds, std::memory_order_relaxed), false;
  end_build(generic);
  return true;
}

// What earlier processes have found.
void SpecialUnits::look_up_search() {
  if (const auto found = Cache::instance().find_search(search_key()))
    search_ = VariantSearch::from_text(found->text);
}

BuildRef SpecialUnits::first_build() {
  if (const auto* known = first_.load(std::memory_order_acquire);
      known && known->is_done.load(std::memory_order_acquire))
    return std::const_pointer_cast<UnitBuild>(known->shared_from_this());
  const Lock lock(mutex_);
  if (const auto* known = first_.load(std::memory_order_relaxed))
    return std::const_pointer_cast<UnitBuild>(known->shared_from_this());
  if (phase_ != Phase::generic || build_ || !builds_.empty())
    return nullptr;
  if (may_search())
    look_up_search();
  if (search_)
    shape_ = search_->best() != search_->first() ? search_->best() : VariantShape{0, 0};
  else
    shape_ =
        (may_search() ? find_hint(*source_, kernel_, specialization_.local_size) : std::nullopt)
            .value_or(VariantShape{0, 0});
  make_build();
  unit_scheduler::find(build_);
  first_.store(build_.get(), std::memory_order_release);
  return build_;
}

unit_policy::State SpecialUnits::first_state() const noexcept {
  using unit_policy::State;
  const auto* build = first_.load(std::memory_order_acquire);
  if (!build)
    return State::absent;
  if (!build->is_done.load(std::memory_order_acquire))
    return State::building;
  return first() ? State::ready : State::failed;
}

const Unit* SpecialUnits::first() const noexcept {
  const auto* build = first_.load(std::memory_order_acquire);
  const auto* unit = build ? build->ready.load(std::memory_order_acquire) : nullptr;
  return unit && specialization_.group_items() <= max_group_size(unit->metadata()) ? unit : nullptr;
}

// False if it is too early for the next build.
bool SpecialUnits::begin_build(const Unit& generic) {
  if (phase_ == Phase::generic) {
    if (first_.load(std::memory_order_relaxed) == nullptr &&
        !is_worth_a_build(used_.load(std::memory_order_relaxed), longest_nanoseconds_))
      return advance_at_.store(longest_nanoseconds_, std::memory_order_relaxed), false;
    if (may_search(generic.metadata()) && !search_)
      look_up_search();
    const bool is_known = search_ && search_->best() != search_->first();
    const bool swaps = takes_second_dimension(generic);
    const auto hint = !search_ && !swaps && may_search(generic.metadata())
                          ? find_hint(*source_, kernel_, specialization_.local_size)
                          : std::nullopt;
    shape_ = is_known ? search_->best() : hint.value_or(VariantShape{0, 0, swaps});
  } else {
    const auto shape = search_->next();
    if (!shape)
      return phase_ = Phase::end, true;
    shape_ = *shape;
    if (const auto at = next_build_at(); used_.load(std::memory_order_relaxed) < at)
      return advance_at_.store(at, std::memory_order_relaxed), false;
  }
  make_build();
  return true;
}

void SpecialUnits::make_build() {
  auto specialization = specialization_;
  specialization.lanes = shape_.lanes;
  specialization.rows = shape_.rows;
  specialization.has_long_code = shape_.has_long_code || !compares_units();
  specialization.lane_dimension = shape_.is_swapped   ? LaneDimension::second
                                  : shape_.lanes == 0 ? LaneDimension::by_strides
                                                      : LaneDimension::first;
  build_ = std::make_shared<UnitBuild>(source_, kernel_, specialization);
  if (phase_ == Phase::search && !is_exhaustive())
    build_->max_processor_time =
        std::chrono::nanoseconds(std::max(longest_nanoseconds_ * kTooLongBuild, kLeastTooLong));
}

void SpecialUnits::end_build(const Unit& generic) {
  builds_.push_back(std::move(build_));
  build_ = nullptr;
  const auto& build = *builds_.back();
  const auto taken = static_cast<std::uint64_t>(build.processor_time.count());
  builds_nanoseconds_ += taken;
  longest_nanoseconds_ = std::max(longest_nanoseconds_, taken);
  const auto* unit = build.unit.get();
  const bool is_usable = unit && !build.is_replaced && replaces(generic, *unit);
  if (phase_ == Phase::generic) {
    // Only now it is known that lanes may run along the second dimension, and must.
    const bool is_first = first_.load(std::memory_order_relaxed) == &build;
    if (is_first && is_usable && !unit->metadata().has_swapped_dimensions &&
        takes_second_dimension(*unit))
      return;
    begin_search(generic, is_usable ? *unit : generic);
    return;
  }
  const auto shape = unit ? shape_of(*unit, shape_.has_long_code) : shape_;
  if (is_usable && shape == shape_)
    begin_trial(*unit);
  else // not possible, or not in this kernel
    report_tried(shape_, false, 0);
}

void SpecialUnits::begin_search(const Unit& generic, const Unit& first) {
  publish({&first});
  const auto& size = specialization_.local_size;
  size_text_ =
      std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
  const bool may_be_longer = first.metadata().may_have_long_code && compares_units();
  const auto bounds = this->bounds(generic, may_be_longer);
  phase_ = may_search(may_be_longer ? first.metadata() : generic.metadata()) &&
                   longest_nanoseconds_ <= kLongestBuild
               ? Phase::search
               : Phase::end;
  if (!search_)
    search_.emplace(shape_of(first), bounds);
  else
    search_->set_bounds(bounds);
}

void SpecialUnits::begin_trial(const Unit& challenger) {
  const auto most_lost = used_.load(std::memory_order_relaxed) / kUsedPerLoss;
  trials_.emplace_back(is_exhaustive() ? kNever : most_lost);
  publish({choices_.back().unit, &challenger, &trials_.back()});
}

void SpecialUnits::end_trial() {
  const auto choice = choices_.back();
  const bool is_better = choice.trial->verdict() == VariantTrial::Verdict::better;
  publish({is_better ? choice.challenger : choice.unit});
  report_tried(shape_, is_better, choice.trial->ratio());
}

void SpecialUnits::report_tried(const VariantShape& shape, bool is_better, double ratio) {
  if (options().TUNE_LOG)
    std::fprintf(stderr, "heddle: kernel '%s' in groups of %s: %s: %.2f of the time of %s%s\n",
                 kernel_.c_str(), size_text_.c_str(), describe(shape).c_str(), ratio,
                 describe(search_->best()).c_str(), is_better ? ": taken" : "");
  search_->tried(shape, is_better);
  Cache::instance().store_search(search_key(), {kernel_, size_text_, search_->text()});
  if (is_better) {
    const VariantSearch best(shape, {});
    Cache::instance().store_hint(hint_key(*source_, kernel_), best.text());
  }
}

// The used time at which the next build for comparison may begin.
std::uint64_t SpecialUnits::next_build_at() const {
  if (is_exhaustive())
    return 0;
  // What gains much is built when the launches have used as much time as that takes.
  return is_longer() ? longest_nanoseconds_ * kLongerBuild
                     : (builds_nanoseconds_ + longest_nanoseconds_) * kUsedPerBuild;
}

// Whether `shape_` is the best one so far with long code.
bool SpecialUnits::is_longer() const {
  return shape_.has_long_code && search_ && !search_->best().has_long_code;
}

void SpecialUnits::publish(const UnitChoice& choice) {
  choices_.push_back(choice);
  choice_.store(&choices_.back(), std::memory_order_release);
}

// Whether groups are one work-item wide, so that lanes can only be neighbors in the second
// dimension; or with HEDDLE_SWAP.
bool SpecialUnits::takes_second_dimension(const Unit& generic) const {
  const auto& size = specialization_.local_size;
  return generic.metadata().may_swap_dimensions && !generic.metadata().checks_memory &&
         !generic.metadata().uses_device_queues && (size[0] == 1 || options().SWAP) && size[1] > 1;
}

VariantBounds SpecialUnits::bounds(const Unit& generic, bool may_be_longer) const {
  const auto& kernel = generic.metadata();
  const auto& size = specialization_.local_size;
  const auto items = specialization_.group_items();
  VariantBounds bounds;
  bounds.may_have_long_code = may_be_longer;
  if (kernel.has_fixed_width) {
    bounds.least_lanes = bounds.most_lanes = kernel.vector_width;
    bounds.most_rows = kernel.row_interleave;
    return bounds;
  }
  bounds.least_lanes = kernel.has_barrier ? 4 : 1;
  // Groups without barriers may be coalesced.
  bounds.most_lanes =
      kernel.has_barrier && items < kLargestSubGroup
          ? std::max(kernel.vector_width, static_cast<std::uint32_t>(std::bit_floor(items)))
          : kLargestSubGroup;
  bounds.most_rows = kernel.may_interleave_rows ? most_rows(size[1]) : 1;
  // In rows shorter than a sub-group the accesses are not consecutive along the first dimension.
  const bool prefers_first = kernel.prefers_first_dimension && size[0] >= kernel.vector_width;
  if (kernel.may_swap_dimensions && size[1] > 1 && (!prefers_first || is_exhaustive()))
    bounds.most_swapped_rows = most_rows(size[0]);
  bounds.is_exhaustive = is_exhaustive();
  return bounds;
}

// Known sizes may remove what forbids an assumption about the arguments, and need more stack.
bool SpecialUnits::replaces(const Unit& generic, const Unit& unit) const {
  const auto& kernel = unit.metadata();
  return (kernel.written_arguments.empty() ||
          kernel.written_arguments == generic.metadata().written_arguments) &&
         specialization_.group_items() <= max_group_size(kernel);
}

DigestValue SpecialUnits::search_key() const {
  return heddle::search_key(*source_, kernel_, "search", specialization_);
}

} // namespace heddle
