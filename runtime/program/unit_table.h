// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All units of one kernel of a program.
#pragma once

#include "runtime/core/lock.h"
#include "runtime/program/kernel_units.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

namespace heddle {

// Units by the disjointness of the arguments and the formats of images and samplers that launches
// have; each entry has those of all local sizes. The formats are known when a kernel is enqueued
// first. A unit that has them as constants builds faster than the generic one, which has code for
// each format, and is several times as fast, so that the first few combinations have one from their
// first launch on. Thread-safe; entries live as long as this.
class UnitTable {
 public:
  UnitTable(std::shared_ptr<const UnitSource> source, const KernelDeclaration& kernel);

  // For all formats.
  KernelUnits& generic(bool has_disjoint_arguments = true) const {
    return *entries_[has_disjoint_arguments ? 0 : 1].units;
  }
  // Whether launches of other formats may take other units.
  bool has_formats() const { return argument_count_ != 0 && generic().may_vary(); }
  // For launches with these formats and samplers. Null: the generic ones are to be used, because
  // there are no images, or too many combinations, or not all arguments are set. Throws
  // std::bad_alloc.
  KernelUnits* of_formats(const Specialization& known, bool has_disjoint_arguments = true);
  // The kernel was created, and will probably be launched.
  void expect();

 private:
  static constexpr std::size_t kMost = 2 + 4;
  struct Entry {
    Specialization specialization;
    std::unique_ptr<KernelUnits> units;
  };

  KernelUnits* find(const Specialization& specialization) const;
  KernelUnits* add(const Specialization& specialization);

  const std::shared_ptr<const UnitSource> source_;
  const std::string kernel_;
  const std::size_t argument_count_; // that are known with the formats
  SleepingMutex mutex_;              // of additions
  std::array<Entry, kMost> entries_;
  std::atomic<std::size_t> count_{0}; // released after the entry
};

} // namespace heddle
