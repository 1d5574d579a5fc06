// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch as its execution needs it: computed once, read-only while groups run, and the same for
// each execution of a command that is recorded.
#pragma once

#include "runtime/context/context.h"
#include "runtime/execution/kernel_cost.h"
#include "runtime/execution/kernel_launch.h"

#include <cstdint>

namespace heddle {

struct PreparedKernel {
  // `kernels`: where the kernel belongs to, kept alive by someone else if launch.loaded is null;
  // `runtime`: what kernels that use device queues reach by abi::Launch; may be null.
  PreparedKernel(KernelLaunch&& launch, const Context& context, const KernelTable* kernels,
                 void* runtime) noexcept;

  const KernelVariant& champion() const noexcept { return variants[0]; }
  // With a replacement: the variant that the next groups are to run in.
  const KernelVariant& newest() const noexcept;
  // A better one than the launch's own is there.
  bool has_newer() const noexcept { return &newest() != &champion(); }
  double expected_nanoseconds() const noexcept {
    return kernel_cost::per_item(champion().function) * static_cast<double>(groups) *
           static_cast<double>(items_per_group);
  }
  // Known to be so short that it wakes no thread, and that its time is not measured each time.
  bool is_brief() const noexcept {
    return kernel_cost::is_known(champion().function) && expected_nanoseconds() < kBriefNanoseconds;
  }
  // It pays off to wake a thread for it.
  bool is_large() const noexcept { return expected_nanoseconds() > kSerialNanoseconds; }
  // One launch of several is measured.
  bool is_sampled() const noexcept { return !trial && !replacement && is_brief(); }
  // The number of groups with rows for a sub-group, if neighboring groups run as one.
  std::uint64_t groups_per_sub_group() const noexcept;
  // The number, in the order of the swapped dimensions, of a group of that number.
  std::uint64_t with_swapped_order(std::uint64_t number) const noexcept;
  const abi::Launch& launch_of(const KernelVariant& variant) const noexcept {
    return swaps(variant) ? swapped : abi;
  }
  static bool swaps(const KernelVariant& variant) noexcept {
    return variant.metadata && variant.metadata->has_swapped_dimensions;
  }

  // A launch with a smaller estimated time runs on one thread: waking another costs about as much.
  static constexpr double kSerialNanoseconds = 8'000;
  static constexpr double kBriefNanoseconds = 5'000;

  abi::Launch abi;
  std::uint64_t groups = 1;
  std::uint64_t items_per_group = 1;
  std::uint64_t local_bytes; // the arguments'
  KernelVariant variants[2]; // as in KernelLaunch, and the challenger
  Ref<ArgumentBlock> arguments;
  VariantTrial* trial;                                  // as in KernelLaunch
  const std::atomic<const KernelVariant*>* replacement; // as in KernelLaunch
  const std::atomic<const KernelVariant*>* bridge;      // likewise
  std::atomic<std::uint64_t>* used_nanoseconds;         // as in KernelLaunch
  const Context* context;
  const KernelTable* kernels;
  std::unique_ptr<LaunchChecks> checks; // null if the kernel is built without
  Ref<KernelTable> loaded;
  bool zeroes_local; // cl_khr_initialize_memory
  profile::Launch profile;
  // Last, since most launches do not have it: set if a variant may have swapped dimensions.
  abi::Launch swapped;
};

} // namespace heddle
