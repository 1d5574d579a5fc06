// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The units of a kernel with images, by the formats of the images and the samplers of a launch.
#pragma once

#include "runtime/program/kernel_units.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

namespace heddle {

// The formats are known when a kernel is enqueued first. A unit that has them as constants builds
// faster than the generic one, which has code for each format, and is several times as fast, so
// that the first few combinations have one from their first launch on. Thread-safe.
class FormatUnits {
 public:
  // Of a kernel with so many images and samplers as arguments.
  FormatUnits(std::shared_ptr<const UnitSource> source, std::string kernel,
              std::size_t argument_count);

  // The units for launches with these formats and samplers, whose arguments overlap or not. Null:
  // the generic ones are to be used, because there are too many combinations, or not all arguments
  // are set; of many, the first count. Throws std::bad_alloc.
  KernelUnits* find(const Specialization& known, bool overlap);

 private:
  static constexpr std::size_t kMost = 4;
  struct Entry {
    Specialization specialization;
    std::unique_ptr<KernelUnits> units;
  };

  KernelUnits* find_among(std::size_t count, const Specialization& specialization) const;

  const std::shared_ptr<const UnitSource> source_;
  const std::string kernel_;
  const std::size_t argument_count_;
  std::mutex mutex_; // of additions
  std::array<Entry, kMost> entries_;
  std::atomic<std::size_t> count_{0};
};

} // namespace heddle
