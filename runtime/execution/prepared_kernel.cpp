// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/prepared_kernel.h"

#include "runtime/execution/work_group_size.h"

namespace heddle {

PreparedKernel::PreparedKernel(KernelLaunch&& launch, const Context& of_kernel,
                               const KernelTable* of_table, void* runtime) noexcept
    : local_bytes(launch.arguments->local_bytes()), variants{launch.variant, launch.challenger},
      arguments(std::move(launch.arguments)), trial(launch.trial), replacement(launch.replacement),
      bridge(launch.bridge), used_nanoseconds(launch.used_nanoseconds), context(&of_kernel),
      kernels(of_table), checks(std::move(launch.checks)), loaded(std::move(launch.loaded)),
      zeroes_local(launch.zeroes_local), profile(launch.profile) {
  const auto& range = launch.range;
  abi.args = arguments->bytes();
  abi.program_scope = launch.program_scope;
  abi.work_dim = range.work_dim;
  const auto set_dimension = [&](int d) { // not a loop, of which GCC makes calls of memmove
    const auto global = range.global_size[d], local = range.local_size[d];
    const auto count = global == local ? 1 : (global - 1) / local + 1;
    abi.global_size[d] = global;
    abi.global_offset[d] = range.global_offset[d];
    abi.local_size[d] = local;
    abi.group_count[d] = count;
    groups *= count;
    items_per_group *= local;
  };
  set_dimension(0);
  set_dimension(1);
  set_dimension(2);
  abi.runtime = runtime;
  abi::set_merging(abi, range.local_size);
  // Groups that a replacement runs are told apart by their numbers in the order of rows.
  abi::set_columns(abi, !replacement && champion().metadata && champion().metadata->reuses_columns);
  abi.arguments_overlap = launch.arguments_overlap ? 1 : 0;
  abi.bounds = checks ? checks->bounds() : nullptr;
  abi.unwritten_local_bytes = zeroes_local ? 0 : local_bytes;
  if (swaps(variants[0]) || swaps(variants[1]) || replacement)
    swapped = abi::with_swapped_dimensions(abi);
}

const KernelVariant& PreparedKernel::newest() const noexcept {
  for (const auto* source : {replacement, bridge}) {
    const auto* variant = source ? source->load(std::memory_order_acquire) : nullptr;
    if (!variant)
      continue;
    const auto& metadata = *variant->metadata;
    if (metadata.local_bytes <= champion().metadata->local_bytes &&
        items_per_group <= max_group_size(metadata) &&
        (abi.arguments_overlap == 0 || metadata.written_arguments.empty()))
      return *variant;
  }
  return champion();
}

std::uint64_t PreparedKernel::groups_per_sub_group() const noexcept {
  const auto width = std::uint64_t{champion().metadata->vector_width};
  return (width - 1) / abi.local_size[swaps(champion())] + 1;
}

std::uint64_t PreparedKernel::with_swapped_order(std::uint64_t number) const noexcept {
  const auto [count_x, count_y, count_z] = abi.group_count;
  const auto row = number / count_x;
  return (row / count_y * count_x + number % count_x) * count_y + row % count_y;
}

} // namespace heddle
