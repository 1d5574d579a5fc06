// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/describe_fault.h"

#include "runtime/execution/guarded_memory.h"

#include <algorithm>
#include <cstdio>
#include <dlfcn.h>
#include <utility>

namespace heddle {
namespace {

// ", in PATH+0xOFFSET": the compiled program and the offset of the instruction, for debuggers and
// addr2line; empty if the instruction is in no file.
std::string place_of(const void* instruction) {
  Dl_info info{};
  if (instruction == nullptr || dladdr(instruction, &info) == 0 || info.dli_fname == nullptr)
    return "";
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%zx",
                static_cast<std::size_t>(static_cast<const char*>(instruction) -
                                         static_cast<const char*>(info.dli_fbase)));
  return ", in " + std::string(info.dli_fname) + offset;
}

} // namespace

std::string describe_fault(const Fault& fault, const WorkerThread& thread,
                           const KernelMetadata& kernel, const abi::Launch& launch,
                           const Context& context) {
  const auto& position = thread.position();
  const auto& local = launch.local_size;
  const auto lane = fault.finding ? fault.finding->lane : 0;
  const std::uint64_t item = position.current_item + (lane != 0 ? lane - 1 : 0);
  // In a smaller group at the edge of a non-uniform range the linear id is relative to its actual
  // size; a row may span several groups.
  std::uint64_t actual[3] = {position.current_row};
  for (int d = 1; d < 3; ++d)
    actual[d] = std::min<std::uint64_t>(
        local[d], launch.global_size[d] -
                      std::min(launch.global_size[d], position.current_group[d] * local[d]));
  for (auto& size : actual)
    size = std::max<std::uint64_t>(size, 1);
  // All work-items of a sub-group run together, so the faulting one is unknown, unless a check
  // tells.
  const auto in_row = item % actual[0];
  const auto last =
      lane != 0 ? in_row + 1 : std::min<std::uint64_t>(in_row + kernel.vector_width, actual[0]);
  const auto place = [&](std::uint64_t x) {
    std::uint64_t id[3] = {x, item / actual[0] % actual[1], item / actual[0] / actual[1]};
    for (int d = 0; d < 3; ++d)
      id[d] += position.current_group[d] * local[d] + launch.global_offset[d];
    if (kernel.has_swapped_dimensions)
      std::swap(id[0], id[1]);
    std::string text;
    for (std::uint32_t d = 0; d < launch.work_dim; ++d)
      text.append(d ? ", " : "(").append(std::to_string(id[d]));
    return text + ")";
  };
  const auto where = in_row + 1 == last ? "work-item " + place(in_row)
                                        : "work-items " + place(in_row) + " to " + place(last - 1);
  if (fault.signal == 0) // a failed check or assertion
    return "heddle: kernel '" + kernel.name + "' failed at " + where + ": " +
           (fault.finding ? fault.finding->text : fault.message);
  char address[64];
  std::snprintf(address, sizeof address, "%p", fault.address);
  const bool overflow = thread.is_stack_guard(fault.address);
  return "heddle: kernel '" + kernel.name + "' failed at " + where + ": " +
         (overflow ? "its stack overflowed" : fault.signal_name()) + " at address " + address +
         (overflow ? "" : guarded_memory::place_among_allocations(context, fault.address)) +
         place_of(fault.instruction);
}

} // namespace heddle
