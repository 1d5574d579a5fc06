// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clRemapCommandBufferKHR: copies of command buffers for other queues.
#include "runtime/command_buffer/command_buffer.h"
#include "runtime/command_buffer/recorded_kernel.h"
#include "runtime/core/lock.h"
#include "runtime/execution/work_group_size.h"

#include <algorithm>
#include <vector>

namespace heddle {
namespace {

// The queue of each command: that of its chain, whose device has the least to do for each of its
// compute units.
std::vector<std::uint32_t> distribute(const Graph& graph, std::size_t commands,
                                      const CommandBuffer::Queues& queues) {
  std::vector<std::uint32_t> queue_of(commands);
  std::vector<double> load(queues.size());
  for (const auto& chain : graph.chains()) {
    const auto least = static_cast<std::uint32_t>(std::ranges::min_element(load) - load.begin());
    load[least] += static_cast<double>(chain.end - chain.begin) /
                   static_cast<double>(queues[least]->device().compute_units());
    for (const auto command : graph.order().subspan(chain.begin, chain.end - chain.begin))
      queue_of[command] = least;
  }
  return queue_of;
}

// A size that the driver chose is chosen anew.
cl_int fit_range(const Kernel& kernel, const Device& device, RecordedKernel::Range& range) {
  if (!kernel.has(device))
    return CL_INVALID_PROGRAM_EXECUTABLE;
  auto limit = kernel.max_group_size(device);
  if (!limit)
    return limit.error();
  auto& sizes = range.sizes;
  if (range.has_local || kernel.declaration().required_group_size[0] != 0)
    return sizes.local_size[0] * sizes.local_size[1] * sizes.local_size[2] <= *limit
               ? CL_SUCCESS
               : CL_INVALID_WORK_GROUP_SIZE;
  choose_local_size(sizes, *limit, device.compute_units(), kernel.declaration().may_have_barrier,
                    kernel.program().allows_non_uniform_groups(),
                    kernel.has_swapped_dimensions(device));
  return CL_SUCCESS;
}

} // namespace

Result<Ref<CommandBuffer>> CommandBuffer::remap(Queues queues, bool is_automatic) {
  const Lock lock(mutex_);
  std::vector<std::uint32_t> queue_of;
  if (is_automatic)
    queue_of = distribute(Graph(commands()), commands().size(), queues);
  auto made = Ref<CommandBuffer>::adopt(new CommandBuffer(std::move(queues), options_));
  std::vector<cl_uint> sync_points;
  for (std::uint32_t i = 0; i < commands().size(); ++i) {
    const auto& recorded = commands()[i];
    RecordedCommand copy(recorded.type, is_automatic ? queue_of[i] : recorded.queue);
    copy.transfer = recorded.transfer;
    if (recorded.kernel) {
      auto& device = made->queues_[copy.queue]->device();
      auto range = recorded.kernel->range();
      if (const auto error = fit_range(recorded.kernel->kernel(), device, range))
        return error;
      auto kernel = recorded.kernel->copy(device, range);
      if (!kernel)
        return kernel.error();
      copy.kernel = std::move(*kernel);
      made->kernels_.push_back(i);
    }
    sync_points.clear();
    for (const auto other : recorded.waits)
      sync_points.push_back(other + 1);
    (void)made->recording_.add(std::move(copy), sync_points);
  }
  if (plan_)
    made->make_plan();
  return made;
}

} // namespace heddle
