// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The units of one kernel of a program, for all launches or for those whose arguments overlap.
#pragma once

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
  // The unit for launches of this local size, which divides their ranges or not: a better one than
  // `generic`, which ready() returned, if there is one. Else `used` is where such launches add the
  // time that they take; when that is as long as a build, one is started.
  const Unit* for_local_size(const Unit& generic, const std::size_t (&local_size)[3],
                             bool has_whole_groups, std::atomic<std::uint64_t>*& used);
  // Adds the finished units, but for those for local sizes.
  void store_in(std::vector<StoredUnit>& units) const;
  // The log of the unit's build.
  std::string log() const;
  // The same if the build failed, so that the unit is missing or a simple one; else empty.
  std::string problem() const;

 private:
  // The launches of a local size.
  struct Sized {
    std::atomic<std::uint64_t> packed{0}; // the local size; 0: free
    std::atomic<std::uint64_t> used_nanoseconds{0};
    std::atomic<UnitBuild*> asked{nullptr}; // `build`
    BuildRef build;
  };
  static constexpr std::size_t kMostSized = 16;
  static constexpr unsigned kMostSizedBuilds = 4;

  Sized* find_sized(std::uint64_t packed);
  const Unit* ask_for(Sized& sized, const Specialization& specialization);

  const std::shared_ptr<const UnitSource> source_;
  const std::string kernel_;
  const Specialization specialization_;
  std::atomic<const Unit*> ready_{nullptr};
  mutable std::mutex mutex_;
  BuildRef build_; // null: never asked for
  std::string log_;
  bool has_problem_ = false;
  const bool may_vary_;
  // Of the unit's build.
  std::atomic<std::uint64_t> build_nanoseconds_;
  std::array<Sized, kMostSized> sized_;
  unsigned sized_builds_ = 0;
};

} // namespace heddle
