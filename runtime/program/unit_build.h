// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building one unit: from the cache, or from the program's bitcode with the compiler.
#pragma once

#include "compiler/interface/specialization.h"
#include "runtime/program/program_file.h"
#include "runtime/program/unit.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace heddle {

// What all units of a program are built from. Builds that are in progress when the program is
// released keep it.
struct UnitSource {
  UnitSource(std::shared_ptr<const ProgramFile> program, const ProgramMetadata& metadata);

  const std::shared_ptr<const ProgramFile> program;
  const DigestValue digest; // of everything but the kernel and its specialization
  // By kernel: of what its code depends on, also in other programs, but for its specialization. Not
  // exact: for what is measured, not for code.
  std::unordered_map<std::string, DigestValue> kernels;
};

// Of the unit for all launches, or for all whose arguments do not overlap.
Specialization generic_specialization(bool has_disjoint_arguments);

// Of the unit without optimizations, or with few, for launches with the same known arguments.
Specialization plain_specialization(Effort effort, const Specialization& launches);

// One build, and its result. The scheduler (unit_scheduler.h) owns the fields below
// `specialization`;
// others read the last ones when the state is `done`.
struct UnitBuild : std::enable_shared_from_this<UnitBuild> {
  UnitBuild(std::shared_ptr<const UnitSource> source, std::string kernel,
            Specialization specialization)
      : source(std::move(source)), kernel(std::move(kernel)), specialization(specialization) {}

  // The unit's name among those of all programs, in the cache.
  DigestValue key() const;
  // Its name among those of its program, in a binary, which does not depend on the compiler: what
  // is loaded from a binary needs none.
  DigestValue key_in_binary() const;

  const std::shared_ptr<const UnitSource> source;
  const std::string kernel;
  const Specialization specialization;
  // No launch waits for it: left to any process that needs the unit.
  bool yields = false;
  // After so much processor time it is cancelled, and has failed; 0: see HEDDLE_BUILD_SECONDS.
  std::chrono::nanoseconds max_processor_time{};
  // The result once there is one, which lives as long as this.
  std::atomic<const Unit*> ready{nullptr};            // released when it is complete
  std::atomic<const KernelVariant*> variant{nullptr}; // of that unit
  // Set at the end of the build: from then on, all may read the fields after `state`.
  std::atomic<bool> is_done{false}; // released after `unit` and `log`
  std::uint32_t cancelled = 0;      // accessed atomically: not 0 if the compiler is to stop
  // By monotonic_nanoseconds(), when it began to run last; 0: never.
  std::atomic<std::uint64_t> begun_at{0};

  enum class State : std::uint8_t { idle, queued, running, done };
  State state = State::idle;
  std::unique_ptr<const Unit> unit;          // null if the build failed
  bool is_replaced = false;                  // the unit is a simple one, because the build failed
  std::chrono::nanoseconds processor_time{}; // 0: found in the cache
  std::string log;
};

using BuildRef = std::shared_ptr<UnitBuild>;

// Whether the units of a kernel are compared in launches, of which the first ones are built fast.
bool compares_units();

struct UnitResult {
  std::unique_ptr<const Unit> unit;
  bool is_replaced = false;
  std::string log;
  std::chrono::nanoseconds processor_time{};
};

// The unit if it was built before: in the program's binary, or in the cache.
UnitResult find_unit(const UnitBuild& build);
// Whether the cache has it.
bool is_in_cache(const UnitBuild& build);
// Finds the unit, or compiles it, or waits for another process that does; a build that yields is
// left to that. Throws std::bad_alloc.
UnitResult make_unit(const BuildRef& build);

} // namespace heddle
