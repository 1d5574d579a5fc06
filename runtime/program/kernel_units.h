// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The units of one kernel of a program, for all launches or for those whose arguments overlap.
#pragma once

#include "runtime/core/lock.h"
#include "runtime/program/special_units.h"
#include "runtime/program/unit_build.h"
#include "runtime/program/units/policy.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heddle {

// Whether the user wants to see a certain form of kernels, or their checks.
bool forces_form();

// Thread-safe. Units live as long as this.
class KernelUnits {
 public:
  KernelUnits(std::shared_ptr<const UnitSource> source, std::string kernel,
              const Specialization& specialization);
  ~KernelUnits();
  KernelUnits(const KernelUnits&) = delete;
  KernelUnits& operator=(const KernelUnits&) = delete;

  // Whether launches may take other units than the generic one.
  bool may_vary() const noexcept { return may_vary_; }
  // The unit, or null if it is not there yet.
  const Unit* ready() const noexcept { return ready_.load(std::memory_order_acquire); }
  // The unit if it is there, in the cache or the program's file when this is called first, or was
  // begun by start() and is built now. Never waits.
  const Unit* find();
  // The kernel will probably be needed: loads the unit from the cache, or begins to build it in the
  // background.
  void start();
  // The kernel will probably be launched, and perhaps there is a better unit for these launches:
  // begins to build one without optimizations, and this one a little later.
  void expect();
  // Builds the unit if it is not there. Null if it cannot be built.
  const Unit* need();
  // A unit without optimizations that tells what queries ask while the usual one is not there, and
  // runs groups for which that one has no room; null if the program could tell. Throws
  // std::bad_alloc.
  const Unit* stand_in();
  // What is known of a launch, and distinguishes launches.
  struct Launch {
    Specialization known; // of a unit for exactly such launches, if their arguments are disjoint
    bool chooses_size;    // as in unit_policy::Facts, as all below
    bool may_begin_plain;
    bool has_many_groups;
    bool waits_for_best;
    unsigned compute_units;
    double least_plain_time;
  };
  // The time that the launch would take in that unit without optimizations, in nanoseconds;
  // kUnknown.
  using PlainTime = std::function<double(const Unit&)>;
  // Such a launch will come: begins to build what it would begin in, and a little later what it
  // would have built. Throws std::bad_alloc.
  void expect(const Launch& launch);
  // What such a launch is to run, if there is an optimized unit for it. `used`, if it is not null
  // then: where it adds the time that it takes.
  UnitChoice ready_for(const Launch& launch, std::atomic<std::uint64_t>*& used);
  // The same if there is none: a unit without optimizations, or one that is built now. No unit if
  // it cannot be built. Throws std::bad_alloc.
  UnitChoice begin(const Launch& launch, const PlainTime& plain_time,
                   std::atomic<std::uint64_t>*& used);
  // Both an optimized unit and one without optimizations, if there are both and programs cannot
  // tell them apart. Throws std::bad_alloc.
  UnitChoice mixed(const Launch& launch);
  // A unit without optimizations, which has the estimate of what launches do; null if it cannot be
  // built. Throws std::bad_alloc.
  const Unit* estimated();
  // Whether programs cannot tell the width, as the unit tells, or stand_in().
  bool has_any_width();
  // Begins to choose what a binary of the program has of this kernel: the usual unit if it is
  // there, or one without optimizations, which builds fast, if launches may begin in it.
  void start_for_binary();
  // Ends the choice, which stays the same for all binaries, and adds the unit if there is one.
  void store_in(std::vector<StoredUnit>& units);
  // The log of the unit's build.
  std::string log() const;
  // The same if the build failed, so that the unit is missing or a simple one; else empty.
  std::string problem() const;
  // True once, for the first that asks when a simple unit has taken the place of one whose build
  // failed.
  bool is_replacement_news() noexcept {
    return has_problem_.load(std::memory_order_relaxed) && ready() &&
           !is_told_.exchange(true, std::memory_order_relaxed);
  }

 private:
  struct Special {
    std::atomic<std::uint64_t> key{0};         // a hash of the launches; 0: free
    std::atomic<SpecialUnits*> units{nullptr}; // released when they are complete
  };
  // Local sizes, and combinations of formats, that have units. These are built for launches that
  // have used as much time as the build takes, so that only memory bounds their number.
  static constexpr std::size_t kMaxSpecial = 16;

  bool load() HEDDLE_REQUIRES(mutex_);
  BuildRef plain_build();
  BuildRef make_plain(Effort effort) const;
  BuildRef quick_build();
  // It, if anything has asked for it.
  BuildRef find_quick() const;
  bool may_stand_in() const;
  bool has_first_units() const;
  // Null: the generic unit is all that there is for such launches, or there is no memory.
  SpecialUnits* find_special(const Launch& launch);
  SpecialUnits* slot_of(const Launch& launch);
  void withdraw_generic();
  unit_policy::Facts facts_of(const Launch& launch, SpecialUnits* special,
                              const BuildRef& own) const;
  const Unit* plain_for(const Launch& launch);
  UnitChoice until_ready(const Unit& plain, const BuildRef& target, const unit_policy::Facts& facts,
                         const unit_policy::Decision& decision);
  double used_by_all() const;
  BuildRef generic_build();
  bool is_waited_for();

  const std::shared_ptr<const UnitSource> source_;
  const std::string kernel_;
  const Specialization specialization_;
  std::atomic<const Unit*> ready_{nullptr}; // released when it is complete
  mutable SleepingMutex mutex_;
  BuildRef build_ HEDDLE_GUARDED_BY(mutex_); // null: never asked for
  BuildRef plain_ HEDDLE_GUARDED_BY(mutex_); // for launches until then
  BuildRef quick_ HEDDLE_GUARDED_BY(mutex_); // for those of them that use much time
  // One of the two; null: no binary has been asked for.
  BuildRef in_binary_ HEDDLE_GUARDED_BY(mutex_);
  bool has_looked_ HEDDLE_GUARDED_BY(mutex_) = false; // find() has, and in vain
  bool has_waited_ HEDDLE_GUARDED_BY(mutex_) = false; // a launch, for a short time
  std::string log_ HEDDLE_GUARDED_BY(mutex_);
  std::atomic<bool> has_problem_{false};
  std::atomic<bool> is_told_{false}; // the replacement
  const bool may_vary_, may_begin_plain_;
  // Of the unit's build.
  std::atomic<std::uint64_t> build_nanoseconds_;
  std::array<Special, kMaxSpecial> special_;
  std::atomic<std::uint64_t> used_by_others_{0}; // launches that have no room in special_
  std::atomic<unsigned> kinds_{0}; // of launches that have begun before a unit was there
};

} // namespace heddle
