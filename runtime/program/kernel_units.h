// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One specialization of a kernel of a program, built when it is needed.
#pragma once

#include "runtime/program/unit_build.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace heddle {

// Thread-safe. Units live as long as this.
class KernelUnits {
 public:
  KernelUnits(std::shared_ptr<const UnitSource> source, std::string kernel,
              Specialization specialization = {});
  ~KernelUnits();
  KernelUnits(const KernelUnits&) = delete;
  KernelUnits& operator=(const KernelUnits&) = delete;

  // The unit, or null if it is not there yet.
  const Unit* ready() const noexcept { return ready_.load(std::memory_order_acquire); }
  // The kernel will probably be needed: loads the unit from the cache, or begins to build it in the
  // background.
  void start();
  // Builds the unit if it is not there. Null if it cannot be built.
  const Unit* need();
  // Adds the finished units.
  void store_in(std::vector<StoredUnit>& units) const;
  // The log of the unit's build.
  std::string log() const;
  // The same if the build failed, so that the unit is missing or a simple one; else empty.
  std::string problem() const;

 private:
  const std::shared_ptr<const UnitSource> source_;
  const std::string kernel_;
  const Specialization specialization_;
  std::atomic<const Unit*> ready_{nullptr};
  mutable std::mutex mutex_;
  BuildRef build_; // null: never asked for
  std::string log_;
  bool has_problem_ = false;
};

} // namespace heddle
