// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a unit is compiled for. The same type is part of the request to the compiler, the key of the
// kernel's units in the runtime, and, as bytes, part of a unit's name in the cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle {

// The dimension that the lanes of a unit run along.
enum class LaneDimension : std::uint8_t {
  first,
  // The unit is for launches whose first two dimensions the runtime has swapped
  // (KernelMetadata::has_swapped_dimensions); local sizes are the API's nevertheless. Not without
  // optimizations; needs may_swap_dimensions of another unit.
  second,
  by_strides, // the one in which the kernel's accesses are consecutive
};

// How much work a unit's code is.
enum class Effort : std::uint8_t {
  all,
  // Scalar, and without optimizations: builds fast, and with little that may fail.
  none,
  // Scalar, and with those that take little time: builds in a few times that of `none`, and runs in
  // a fraction of its time.
  little,
};

// What all launches pass for an argument: heddle_image::format of an image, or the word of a
// sampler (image_abi.h). Of other arguments it is ignored.
struct KnownArgument {
  std::uint64_t index = 0;
  std::uint64_t value = 0;
  bool operator==(const KnownArgument&) const = default;
};

// Launches of which anything else is true must not run the unit. Unused elements are zeros.
struct Specialization {
  static constexpr std::size_t kMaxArguments = 16;
  static constexpr std::uint64_t kSmallIds = std::uint64_t{1} << 27;

  // The code. Zeros leave it to the compiler.
  std::uint32_t lanes = 0; // work-items of a sub-group; 1: scalar
  std::uint32_t rows = 0;  // interleaved sub-groups
  LaneDimension lane_dimension = LaneDimension::first;
  Effort effort = Effort::all;
  // A better one is built for launches that take long, for their local size. Then it has less code,
  // and leaves lanes idle in groups whose rows are much narrower than a sub-group.
  bool is_first = false;
  // Groups are kept in registers as a whole even if that takes much more code and time to build.
  bool has_long_code = false;
  // The launches. The memory of an argument of KernelMetadata::written_arguments, which the unit
  // then has, is not that of another argument, unless both are images.
  bool has_disjoint_arguments = false;
  bool has_whole_groups = false; // the local size divides the range
  bool has_long_rows = false;    // also, groups are small and of one row, and many in x
  // The sum of global offset and global size is at most kSmallIds in each dimension.
  bool has_small_ids = false;
  std::uint64_t argument_count = 0;
  std::array<std::uint64_t, 3> local_size{}; // zeros: any
  std::array<KnownArgument, kMaxArguments> arguments{};

  bool operator==(const Specialization&) const = default;
  // Of the units that launches begin in while the optimized one is built.
  static Specialization plain(Effort effort = Effort::none) {
    Specialization plain;
    plain.lanes = 1;
    plain.effort = effort;
    return plain;
  }
  bool is_plain() const { return effort != Effort::all; }
  bool has_local_size() const { return local_size[0] != 0; }
  std::uint64_t group_items() const { return local_size[0] * local_size[1] * local_size[2]; }
  // Groups at the edges of a launch may be smaller than the local size.
  bool has_partial_groups() const { return has_local_size() && !has_whole_groups; }
  // There are launches of the same arguments' disjointness that it is not for.
  bool is_special() const { return has_local_size() || argument_count != 0; }
  // If there is room.
  void know(const KnownArgument& argument) {
    if (argument_count != kMaxArguments)
      arguments[argument_count++] = argument;
  }
  // Null: it may have any value.
  const KnownArgument* find(std::size_t index) const {
    const auto* end = arguments.data() + argument_count;
    const auto* found = std::find_if(arguments.data(), end, [index](const KnownArgument& argument) {
      return argument.index == index;
    });
    return found != end ? found : nullptr;
  }
};

// Equal ones are so as bytes.
static_assert(std::has_unique_object_representations_v<Specialization>);

// Whether groups of a local size are one row of few work-items, so that many of them run as one in
// units for launches that have many (Specialization::has_long_rows).
constexpr bool is_small_row(const auto& local_size) {
  constexpr std::size_t kMaxItems = 32;
  return local_size[0] != 0 && local_size[0] <= kMaxItems && local_size[1] == 1 &&
         local_size[2] == 1;
}

} // namespace heddle
