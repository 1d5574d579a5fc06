// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The units of one kernel of a program, for all launches or for those whose arguments overlap.
#pragma once

#include "runtime/program/special_units.h"
#include "runtime/program/unit_build.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace heddle {

// Whether the user wants to see a certain form of kernels, or their checks.
bool forces_form();

// Thread-safe. Units live as long as this.
class KernelUnits {
 public:
  KernelUnits(std::shared_ptr<const UnitSource> source, std::string kernel,
              Specialization specialization = {});
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
  // Builds the unit if it is not there. Null if it cannot be built.
  const Unit* need();
  // For a launch of groups of this size before the unit is there: waits for its build for a short
  // time, and then gives a unit without optimizations, which builds fast, to begin the launch in.
  // No unit if the usual one is ready, or must be waited for (need()). Throws std::bad_alloc.
  UnitChoice begin_plain(const std::size_t (&local_size)[3]);
  // A unit without optimizations for short launches of groups of this size; null if the usual one
  // is built, or if there cannot be one. Null, too, if another process has built it: programs that
  // end before their kernels are built would never have them. Throws std::bad_alloc.
  const Unit* plain_for_short(const std::size_t (&local_size)[3]);
  // Gives `plain` until the usual unit is there, whose build begins before those that nothing has
  // launched. No unit if it is there.
  UnitChoice until_ready(const Unit& plain);
  // A unit without optimizations that tells what queries ask while the usual one is not there, and
  // runs groups for which that one has no room; null if the program could tell. Throws
  // std::bad_alloc.
  const Unit* stand_in();
  // Both the usual unit and one without optimizations, if there are both and programs cannot tell
  // them apart. Throws std::bad_alloc.
  UnitChoice mixed(const std::size_t (&local_size)[3]);
  // What distinguishes launches.
  struct Launch {
    const std::size_t (&local_size)[3];
    bool has_whole_groups; // the local size divides the range
    bool has_long_rows;    // the groups are small, of one row, and many in x
    std::vector<KnownArgument> arguments;
  };
  // What such launches are to run, if `generic` is what ready() returned. `used`, if it is not null
  // then: where they add the time that they take.
  UnitChoice for_launches(const Unit& generic, const Launch& launch,
                          std::atomic<std::uint64_t>*& used) noexcept;
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

 private:
  struct Special {
    std::atomic<std::uint64_t> key{0}; // a hash of the launches; 0: free
    std::atomic<SpecialUnits*> units{nullptr};
  };
  // Local sizes, and combinations of formats, that have units. These are built for launches that
  // have used as much time as the build takes, so that only memory bounds their number.
  static constexpr std::size_t kMostSpecial = 16;

  bool load();
  bool is_built() const;
  BuildRef plain_build();
  bool may_stand_in() const;
  SpecialUnits* find_special(const Unit& generic, const Launch& launch);

  const std::shared_ptr<const UnitSource> source_;
  const std::string kernel_;
  const Specialization specialization_;
  std::atomic<const Unit*> ready_{nullptr};
  mutable std::mutex mutex_;
  BuildRef build_;          // null: never asked for
  BuildRef plain_;          // for launches until then
  BuildRef in_binary_;      // one of the two; null: no binary has been asked for
  bool has_looked_ = false; // find() has, and in vain
  bool has_waited_ = false; // a launch, for a short time
  std::string log_;
  std::atomic<bool> has_problem_{false};
  const bool may_vary_, may_begin_plain_;
  // Of the unit's build.
  std::atomic<std::uint64_t> build_nanoseconds_;
  std::array<Special, kMostSpecial> special_;
};

} // namespace heddle
