// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects at program scope that have constructors or destructors (C++ for OpenCL 2.3.1.7,
// OpenCL API 3.2.1: program initialization and clean-up kernels).
#pragma once

#include "runtime/core/lock.h"
#include "runtime/program/kernel_units.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace heddle {

// Of one block of program-scope variables, which outlives this. Thread-safe.
class GlobalObjects {
 public:
  GlobalObjects(std::shared_ptr<const UnitSource> source, const ProgramMetadata& metadata,
                std::byte* program_scope);
  // Destroys what was constructed.
  ~GlobalObjects();

  // Begins to build the kernels in the background.
  void start();
  // Builds them.
  void need();
  // Constructs the objects, once: the first call runs the constructors on its thread, others wait
  // for it. False, for all callers, if that failed; `problem` is set by the first of them.
  bool construct(std::string& problem);

  // As of KernelUnits.
  void store_in(std::vector<StoredUnit>& units) const;
  std::string problem() const;

 private:
  enum class State : std::uint8_t { untouched, constructed, failed };
  std::string run_constructors();

  std::byte* const program_scope_;
  std::unique_ptr<KernelUnits> initializer_, finalizer_; // null: there is nothing to do
  SleepingMutex mutex_;
  std::atomic<State> state_{State::untouched}; // released after the constructors
};

} // namespace heddle
