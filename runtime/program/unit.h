// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A unit: one kernel of a program, compiled in one variant and loaded with dlopen.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "compiler/interface/lane_dimension.h"
#include "compiler/interface/metadata.h"
#include "compiler/interface/work_estimate.h"
#include "runtime/execution/kernel_launch.h"
#include "runtime/program/program_file.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heddle {

// The value that an argument has in all launches: of an image its format (heddle_image::format), of
// a sampler its word.
struct KnownArgument {
  std::uint32_t index = 0;
  std::uint64_t value = 0;
  bool operator==(const KnownArgument&) const = default;
};

// Whether groups of a local size are one row of few work-items, so that many of them run as one in
// units for launches that have many (Specialization::has_long_rows).
template <typename Size>
constexpr bool is_small_row(const Size& local_size) {
  constexpr std::size_t kMostItems = 32;
  return local_size[0] != 0 && local_size[0] <= kMostItems && local_size[1] == 1 &&
         local_size[2] == 1;
}

// What a variant of a kernel is compiled for. Zero leaves the choice to the compiler.
struct Specialization {
  std::uint32_t lanes = 0; // work-items of a sub-group
  std::uint32_t rows = 0;  // interleaved sub-groups
  LaneDimension lane_dimension = LaneDimension::by_strides;
  std::array<std::uint64_t, 3> local_size{}; // of all launches; zeros: any
  bool has_whole_groups = false;             // the local size divides the range of each launch
  bool has_long_rows = false;                // small groups of one row, many in x in each launch
  bool is_plain =
      false; // scalar, and without optimizations: builds fast, and with little that may fail
  // Not only for launches in which no pointer argument points to memory that the kernel writes
  // through another one.
  bool arguments_may_overlap = false;
  std::vector<KnownArgument> arguments; // of all launches
  // Whether there are launches that the unit is not for, which take a generic one.
  bool is_special() const { return local_size[0] != 0 || !arguments.empty(); }
  bool operator==(const Specialization&) const = default;
};

class Unit {
 public:
  // Opens the file at `path`, or the payload from memory if `path` is empty or cannot be opened.
  // Null, with an error message, on failure; throws std::bad_alloc.
  static std::unique_ptr<const Unit> open(ProgramFile file, const std::string& path,
                                          std::string& error);
  ~Unit();
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  const KernelMetadata& metadata() const { return metadata_; }
  // Lives as long as this.
  const KernelVariant& variant() const { return variant_; }
  // Of a plain unit.
  const WorkEstimate& work() const { return work_; }
  const ProgramFile& file() const { return file_; }

 private:
  Unit() = default;

  ProgramFile file_;
  KernelMetadata metadata_;
  void* library_ = nullptr;
  int memory_file_ = -1;
  KernelVariant variant_;
  WorkEstimate work_;
};

} // namespace heddle
