// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands on SVM (OpenCL API 5.6.1): the host sees it where it is, so that maps and migrations
// only order what comes before and after.
#include "icd/svm_transfer.h"

#include "icd/entry_points.h"
#include "runtime/allocation/allocation_map.h"
#include "runtime/allocation/shadowed_memory.h"
#include "runtime/execution/bulk_command.h"
#include "runtime/execution/guarded_memory.h"
#include "runtime/memory/fill.h"

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

using namespace heddle;
using namespace heddle::icd;

namespace {

// What pieces of a copy or a fill have in common: the first that faults reports it.
class Reporter {
 public:
  Reporter(const Context& context, const char* command) : context_(context), command_(command) {}
  Reporter(Reporter&& other) noexcept : Reporter(other.context_, other.command_) {}

  cl_int failed(const Fault& fault) {
    return reported_.exchange(true) ? CL_OUT_OF_RESOURCES
                                    : guarded_memory::report(context_, command_, fault);
  }

 private:
  const Context& context_; // kept by the queue
  const char* const command_;
  std::atomic<bool> reported_{false};
};

} // namespace

namespace heddle::icd {

cl_int PointerCommand::enqueue_nothing(bool blocking) {
  return queue->enqueue(make_command(*queue, type, []() -> cl_int { return CL_COMPLETE; }),
                        waits.events(), event, blocking);
}

cl_int PointerCommand::enqueue_copy(bool blocking, void* to, const void* from, size_t size,
                                    cl_uint wait_count, const cl_event* wait_list,
                                    Ref<Object> kept) {
  if ((!to || !from) && (size != 0 || !takes_null_for_nothing))
    return CL_INVALID_VALUE;
  if (const auto error = check_waits(wait_count, wait_list))
    return error;
  const auto target = reinterpret_cast<std::uintptr_t>(to);
  const auto source = reinterpret_cast<std::uintptr_t>(from);
  if (target > source ? target - source < size : source - target < size)
    return CL_MEM_COPY_OVERLAP;
  auto copy = [reporter = Reporter(queue->context(), name), kept = std::move(kept),
               to = static_cast<std::byte*>(to), from = static_cast<const std::byte*>(from)](
                  size_t begin, size_t end) mutable -> cl_int {
    Fault fault;
    if (!guarded_memory::move(to + begin, from + begin, end - begin, fault))
      return reporter.failed(fault);
    shadowed_memory::mark_copied(to + begin, from + begin, end - begin);
    return CL_COMPLETE;
  };
  if (recorder)
    return recorder->record(type, size, false, std::move(copy));
  return queue->enqueue(make_bulk_command(*queue, type, size, std::move(copy)), waits.events(),
                        event, blocking);
}

cl_int PointerCommand::enqueue_fill(void* to, const void* pattern, size_t pattern_size, size_t size,
                                    cl_uint wait_count, const cl_event* wait_list) {
  if ((!to && (size != 0 || !takes_null_for_nothing)) || !pattern ||
      !std::has_single_bit(pattern_size) || pattern_size > fill::kMaxPatternBytes ||
      reinterpret_cast<std::uintptr_t>(to) % pattern_size != 0 || size % pattern_size != 0)
    return CL_INVALID_VALUE;
  if (const auto error = check_waits(wait_count, wait_list))
    return error;
  std::array<std::byte, fill::kMaxPatternBytes> kept{};
  std::memcpy(kept.data(), pattern, pattern_size);
  auto fill = [reporter = Reporter(queue->context(), name), to = static_cast<std::byte*>(to), kept,
               pattern_size](size_t begin, size_t end) mutable -> cl_int {
    Fault fault;
    if (!guarded_memory::fill(to + begin, end - begin, kept.data(), pattern_size, fault))
      return reporter.failed(fault);
    shadowed_memory::mark_written(to + begin, end - begin);
    return CL_COMPLETE;
  };
  if (recorder)
    return recorder->record(type, size, false, std::move(fill));
  return queue->enqueue(make_bulk_command(*queue, type, size, std::move(fill)), waits.events(),
                        event, false);
}

cl_int copy_svm(const CommandTarget& target, bool blocking, void* destination, const void* source,
                size_t size) {
  PointerCommand command{target.recorder ? "clCommandSVMMemcpyKHR" : "clEnqueueSVMMemcpy",
                         CL_COMMAND_SVM_MEMCPY, target.event, true, target.recorder};
  if (const auto error = command.find_queue(target.queue))
    return error;
  return command.enqueue_copy(blocking, destination, source, size, target.wait_count,
                              target.wait_list);
}

cl_int fill_svm(const CommandTarget& target, void* pointer, const void* pattern,
                size_t pattern_size, size_t size) {
  PointerCommand command{target.recorder ? "clCommandSVMMemFillKHR" : "clEnqueueSVMMemFill",
                         CL_COMMAND_SVM_MEMFILL, target.event, true, target.recorder};
  if (const auto error = command.find_queue(target.queue))
    return error;
  return command.enqueue_fill(pointer, pattern, pattern_size, size, target.wait_count,
                              target.wait_list);
}

cl_int check_migration_flags(cl_mem_migration_flags flags) {
  constexpr cl_mem_migration_flags kKnown =
      CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  return flags & ~kKnown ? CL_INVALID_VALUE : CL_SUCCESS;
}

} // namespace heddle::icd

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT,
// CL_MEM_COPY_OVERLAP, CL_OUT_OF_HOST_MEMORY; CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when
// blocking. An address that is not mapped fails the command with CL_OUT_OF_RESOURCES.
cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy,
                                      void* dst_ptr, const void* src_ptr, size_t size,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    return copy_svm({command_queue, num_events_in_wait_list, event_wait_list, event}, blocking_copy,
                    dst_ptr, src_ptr, size);
  });
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT,
// CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue command_queue, void* svm_ptr,
                                       const void* pattern, size_t pattern_size, size_t size,
                                       cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    return fill_svm({command_queue, num_events_in_wait_list, event_wait_list, event}, svm_ptr,
                    pattern, pattern_size, size);
  });
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT,
// CL_OUT_OF_HOST_MEMORY; CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when blocking.
cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map,
                                   cl_map_flags map_flags, void* svm_ptr, size_t size,
                                   cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                   cl_event* event) {
  return guarded([&]() -> cl_int {
    PointerCommand command{"clEnqueueSVMMap", CL_COMMAND_SVM_MAP, event};
    if (const auto error = command.find_queue(command_queue))
      return error;
    constexpr cl_map_flags kPlain = CL_MAP_READ | CL_MAP_WRITE;
    if (!svm_ptr || size == 0 ||
        ((map_flags & ~kPlain) != 0 && map_flags != CL_MAP_WRITE_INVALIDATE_REGION))
      return CL_INVALID_VALUE;
    if (const auto error = command.check_waits(num_events_in_wait_list, event_wait_list))
      return error;
    const auto found = command.queue->context().allocations().find(svm_ptr);
    if ((map_flags & ~cl_map_flags{CL_MAP_READ}) != 0 && found && found->contains(svm_ptr, size))
      shadowed_memory::mark_written(static_cast<std::byte*>(svm_ptr), size);
    return command.enqueue_nothing(blocking_map);
  });
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT,
// CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue command_queue, void* svm_ptr,
                                     cl_uint num_events_in_wait_list,
                                     const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    PointerCommand command{"clEnqueueSVMUnmap", CL_COMMAND_SVM_UNMAP, event};
    if (const auto error = command.find_queue(command_queue))
      return error;
    if (!svm_ptr)
      return CL_INVALID_VALUE;
    if (const auto error = command.check_waits(num_events_in_wait_list, event_wait_list))
      return error;
    return command.enqueue_nothing(false);
  });
}

// The device is the host: there is nowhere to migrate to. Memory of the host's own is SVM too, and
// a null pointer without a size is ignored (cl_khr_unified_svm). CL_INVALID_COMMAND_QUEUE,
// CL_INVALID_VALUE, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                          const void** svm_pointers, const size_t* sizes,
                                          cl_mem_migration_flags flags,
                                          cl_uint num_events_in_wait_list,
                                          const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    PointerCommand command{"clEnqueueSVMMigrateMem", CL_COMMAND_SVM_MIGRATE_MEM, event};
    if (const auto error = command.find_queue(command_queue))
      return error;
    if (num_svm_pointers == 0 || !svm_pointers || check_migration_flags(flags))
      return CL_INVALID_VALUE;
    const auto& allocations = command.queue->context().allocations();
    for (cl_uint i = 0; i < num_svm_pointers; ++i) {
      const bool has_size = sizes && sizes[i] != 0;
      if (!has_size)
        continue;
      const auto found = allocations.find(svm_pointers[i]);
      if (!svm_pointers[i] || (found && !found->contains(svm_pointers[i], sizes[i])))
        return CL_INVALID_VALUE;
    }
    if (const auto error = command.check_waits(num_events_in_wait_list, event_wait_list))
      return error;
    return command.enqueue_nothing(false);
  });
}
