// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueNDRangeKernel, clEnqueueTask, clEnqueueNativeKernel (OpenCL API 5.10).
#include "icd/arguments.h"
#include "icd/compat.h"
#include "icd/entry_points.h"
#include "icd/launch_range.h"
#include "runtime/allocation/shadowed_memory.h"
#include "runtime/core/clock.h"
#include "runtime/core/program_code.h"
#include "runtime/execution/queue.h"
#include "runtime/memory/memory.h"
#include "runtime/program/kernel.h"

#include <cstdint>
#include <cstring>
#include <vector>

using namespace heddle;

namespace {

// The kernel and the queue of a launch.
struct LaunchTarget {
  Queue* queue = nullptr;
  Kernel* kernel = nullptr;

  // CL_INVALID_COMMAND_QUEUE, CL_INVALID_KERNEL, CL_INVALID_CONTEXT, CL_INVALID_PROGRAM_EXECUTABLE.
  cl_int find_objects(cl_command_queue queue_handle, cl_kernel kernel_handle) {
    queue = find<Queue>(queue_handle);
    if (!queue)
      return CL_INVALID_COMMAND_QUEUE;
    kernel = find<Kernel>(kernel_handle);
    if (!kernel)
      return CL_INVALID_KERNEL;
    if (&kernel->program().context() != &queue->context())
      return CL_INVALID_CONTEXT;
    return kernel->has(queue->device()) ? CL_SUCCESS : CL_INVALID_PROGRAM_EXECUTABLE;
  }
  // Sets the ND-range from clEnqueueNDRangeKernel's arguments, or returns its errors.
  cl_int make_range(cl_uint work_dim, const size_t* offset, const size_t* global,
                    const size_t* local, NDRange& range) const {
    return icd::make_range(*kernel, queue->device(), work_dim, offset, global, local, range);
  }
};

cl_int enqueue_range(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                     const size_t* offset, const size_t* global, const size_t* local,
                     cl_uint wait_count, const cl_event* wait_list, cl_event* event,
                     cl_command_type type) {
  LaunchTarget target;
  if (const cl_int error = target.find_objects(command_queue, kernel))
    return error;
  auto* queue = target.queue;
  const auto enqueued_at = queue->profiling() ? monotonic_nanoseconds() : 0;
  KernelLaunch launch;
  const auto& range = launch.range;
  if (const cl_int error = target.make_range(work_dim, offset, global, local, launch.range))
    return error;
  launch.chooses_size = local == nullptr && work_dim > 1;
  launch.is_profiled = queue->profiling();
  icd::WaitList waits;
  if (const cl_int error = waits.check(wait_count, wait_list, queue->context()))
    return error;
  if (const cl_int error = target.kernel->capture(target.queue->device(), launch))
    return error;
  const bool is_empty =
      range.global_size[0] == 0 || range.global_size[1] == 0 || range.global_size[2] == 0;
  auto command = is_empty ? make_command(*queue, type, []() -> cl_int { return CL_COMPLETE; })
                          : make_kernel_command(*queue, type, std::move(launch));
  if (command && queue->profiling()) // capture() may have waited for a build
    command->stamp_queued(enqueued_at);
  return queue->enqueue(std::move(command), waits.events(), event, false);
}

} // namespace

// The local size that a launch of these sizes would use. The errors of clEnqueueNDRangeKernel, and
// CL_INVALID_VALUE if the result pointer is null.
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue,
                                                     cl_kernel kernel, cl_uint work_dim,
                                                     const size_t* global_work_offset,
                                                     const size_t* global_work_size,
                                                     size_t* suggested_local_work_size) {
  return icd::guarded([&]() -> cl_int {
    LaunchTarget target;
    if (const cl_int error = target.find_objects(command_queue, kernel))
      return error;
    if (!suggested_local_work_size)
      return CL_INVALID_VALUE;
    // The suggestion depends on the unit.
    if (const auto built = target.kernel->metadata(target.queue->device()); !built)
      return built.error();
    KernelLaunch launch;
    const auto& range = launch.range;
    if (const cl_int error = target.make_range(work_dim, global_work_offset, global_work_size,
                                               nullptr, launch.range))
      return error;
    for (cl_uint d = 0; d < work_dim; ++d)
      if (range.global_size[d] == 0)
        return CL_INVALID_GLOBAL_WORK_SIZE;
    if (const cl_int error = target.kernel->capture(target.queue->device(), launch))
      return error;
    for (cl_uint d = 0; d < work_dim; ++d)
      suggested_local_work_size[d] = range.local_size[d];
    return CL_SUCCESS;
  });
}

// The name of cl_khr_suggested_local_work_size.
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue,
                                                        cl_kernel kernel, cl_uint work_dim,
                                                        const size_t* global_work_offset,
                                                        const size_t* global_work_size,
                                                        size_t* suggested_local_work_size) {
  return clGetKernelSuggestedLocalWorkSize(command_queue, kernel, work_dim, global_work_offset,
                                           global_work_size, suggested_local_work_size);
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel,
                                          cl_uint work_dim, const size_t* global_work_offset,
                                          const size_t* global_work_size,
                                          const size_t* local_work_size,
                                          cl_uint num_events_in_wait_list,
                                          const cl_event* event_wait_list, cl_event* event) {
  return icd::guarded([&] {
    return enqueue_range(command_queue, kernel, work_dim, global_work_offset, global_work_size,
                         local_work_size, num_events_in_wait_list, event_wait_list, event,
                         CL_COMMAND_NDRANGE_KERNEL);
  });
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                                 cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                 cl_event* event) {
  const size_t one = 1;
  return icd::guarded([&] {
    return enqueue_range(command_queue, kernel, 1, nullptr, &one, &one, num_events_in_wait_list,
                         event_wait_list, event, CL_COMMAND_TASK);
  });
}

cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue command_queue,
                                         void(CL_CALLBACK* user_func)(void*), void* args,
                                         size_t cb_args, cl_uint num_mem_objects,
                                         const cl_mem* mem_list, const void** args_mem_loc,
                                         cl_uint num_events_in_wait_list,
                                         const cl_event* event_wait_list, cl_event* event) {
  return icd::guarded([&]() -> cl_int {
    auto* queue = find<Queue>(command_queue);
    if (!queue)
      return CL_INVALID_COMMAND_QUEUE;
    if (!user_func || (args == nullptr) != (cb_args == 0))
      return CL_INVALID_VALUE;
    if (num_mem_objects != 0 ? !args || !mem_list || !args_mem_loc : mem_list || args_mem_loc)
      return CL_INVALID_VALUE;
    std::vector<std::byte> block(static_cast<const std::byte*>(args),
                                 static_cast<const std::byte*>(args) + cb_args);
    std::vector<Ref<Memory>> memories;
    for (cl_uint i = 0; i < num_mem_objects; ++i) {
      auto* memory = mem_list[i] ? find_buffer(mem_list[i]) : nullptr;
      if (mem_list[i] && !memory)
        return CL_INVALID_MEM_OBJECT;
      // Each location is inside the user's block; in the copy it is replaced by the address of the
      // buffer's contents.
      const auto place = reinterpret_cast<std::uintptr_t>(args_mem_loc[i]) -
                         reinterpret_cast<std::uintptr_t>(args);
      if (place > cb_args || cb_args - place < sizeof(void*))
        return CL_INVALID_VALUE;
      const auto data = memory ? memory->data() : nullptr;
      std::memcpy(block.data() + place, &data, sizeof data);
      if (memory)
        shadowed_memory::mark_written(data, memory->size());
      memories.emplace_back(memory);
    }
    icd::WaitList waits;
    if (const cl_int error =
            waits.check(num_events_in_wait_list, event_wait_list, queue->context()))
      return error;
    auto body = [user_func, block = std::move(block),
                 memories = std::move(memories)]() mutable -> cl_int {
      program_code::call([&] { user_func(block.empty() ? nullptr : block.data()); });
      return CL_COMPLETE;
    };
    return queue->enqueue(make_command(*queue, CL_COMMAND_NATIVE_KERNEL, std::move(body)),
                          waits.events(), event, false);
  });
}
