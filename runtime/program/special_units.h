// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The units of a kernel for launches of one local size, and one set of image formats and samplers.
#pragma once

#include "runtime/core/lock.h"
#include "runtime/execution/variant_trial.h"
#include "runtime/program/unit_build.h"
#include "runtime/program/units/policy.h"
#include "runtime/program/variant_search.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

// What a launch runs: a unit, and perhaps another one that some of its groups are to try.
struct UnitChoice {
  const Unit* unit = nullptr;
  const Unit* challenger = nullptr;
  VariantTrial* trial = nullptr; // null: no challenger
  // As in KernelLaunch.
  const std::atomic<const KernelVariant*>* replacement = nullptr;
  const std::atomic<const KernelVariant*>* bridge = nullptr;
};

// Launches begin in a unit of their own, or in the generic unit if that is there first. Once they
// have used as much time in that one as a build takes, one for them is built in the background, and
// replaces it. With HEDDLE_TUNE, its neighbors in
// the numbers of lanes and interleaved rows are built then, and compared with it in the launches;
// the fastest is used from then on, by later processes too. Thread-safe. Units and trials live as
// long as this.
class SpecialUnits {
 public:
  // `specialization` is that of the launches, `build_nanoseconds` the processor time that the build
  // of the generic unit took.
  SpecialUnits(std::shared_ptr<const UnitSource> source, std::string kernel,
               const Specialization& specialization, std::uint64_t build_nanoseconds);
  ~SpecialUnits();
  SpecialUnits(const SpecialUnits&) = delete;
  SpecialUnits& operator=(const SpecialUnits&) = delete;

  const Specialization& specialization() const noexcept { return specialization_; }
  // The build of the first unit for such launches, where no other one is there: the best one that
  // is known, or the compiler's choice. Looks for it in the cache when it is called first. Null if
  // one is built in place of the generic one. Throws std::bad_alloc.
  BuildRef first_build();
  // Its state, and the unit if it is ready: allows groups of this size.
  unit_policy::State first_state() const noexcept;
  const Unit* first() const noexcept;
  // `base`: the unit in which such launches began, the generic one or first().
  UnitChoice choose(const Unit& base) noexcept HEDDLE_NOT_ANALYZED; // tries to lock
  // Where such launches add the time that they use.
  std::atomic<std::uint64_t>& used_nanoseconds() noexcept { return used_; }

 private:
  enum class Phase : std::uint8_t { generic, search, end };

  // With mutex_ held, as all below.
  bool advance(const Unit& generic) HEDDLE_REQUIRES(mutex_);
  bool begin_build(const Unit& generic) HEDDLE_REQUIRES(mutex_);
  void end_build(const Unit& generic) HEDDLE_REQUIRES(mutex_);
  void begin_search(const Unit& generic, const Unit& first) HEDDLE_REQUIRES(mutex_);
  void begin_trial(const Unit& challenger) HEDDLE_REQUIRES(mutex_);
  void end_trial() HEDDLE_REQUIRES(mutex_);
  void report_tried(const VariantShape& shape, bool is_better, double ratio)
      HEDDLE_REQUIRES(mutex_);
  std::uint64_t next_build_at() const HEDDLE_REQUIRES(mutex_);
  void publish(const UnitChoice& choice) HEDDLE_REQUIRES(mutex_);
  bool takes_second_dimension(const Unit& generic) const HEDDLE_REQUIRES(mutex_);
  void look_up_search() HEDDLE_REQUIRES(mutex_);
  void make_build() HEDDLE_REQUIRES(mutex_);
  VariantBounds bounds(const Unit& generic, bool may_be_longer) const HEDDLE_REQUIRES(mutex_);
  bool is_longer() const HEDDLE_REQUIRES(mutex_);
  bool replaces(const Unit& generic, const Unit& unit) const HEDDLE_REQUIRES(mutex_);
  DigestValue search_key() const HEDDLE_REQUIRES(mutex_);

  const std::shared_ptr<const UnitSource> source_;
  const std::string kernel_;
  const Specialization specialization_;
  std::atomic<std::uint64_t> used_{0};
  std::atomic<std::uint64_t> advance_at_;          // the used time at which something may be done
  std::atomic<const UnitChoice*> choice_{nullptr}; // released when it is complete

  SleepingMutex mutex_;
  Phase phase_ HEDDLE_GUARDED_BY(mutex_) = Phase::generic;
  std::optional<VariantSearch> search_ HEDDLE_GUARDED_BY(mutex_);
  std::string size_text_ HEDDLE_GUARDED_BY(mutex_); // the local size
  // Of `build_` or the last trial; zeros: the compiler chooses.
  VariantShape shape_ HEDDLE_GUARDED_BY(mutex_);
  BuildRef build_ HEDDLE_GUARDED_BY(mutex_); // in progress
  // Of all builds until now, and of the longest one.
  std::uint64_t builds_nanoseconds_ HEDDLE_GUARDED_BY(mutex_);
  std::uint64_t longest_nanoseconds_ HEDDLE_GUARDED_BY(mutex_);
  std::vector<BuildRef> builds_ HEDDLE_GUARDED_BY(mutex_);
  std::atomic<const UnitBuild*> first_{nullptr}; // of first_build(), kept by `builds_` or `build_`
  std::deque<VariantTrial> trials_ HEDDLE_GUARDED_BY(mutex_);
  std::deque<UnitChoice> choices_ HEDDLE_GUARDED_BY(mutex_);
};

} // namespace heddle
