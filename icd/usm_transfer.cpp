// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands on USM (cl_intel_unified_shared_memory 1.1.0), which take any address of the host's too.
#include "icd/entry_points.h"
#include "icd/svm_transfer.h"

using namespace heddle;
using namespace heddle::icd;

namespace {

constexpr cl_mem_advice_intel kFirstAdvice = 0x4208, kLastAdvice = 0x420F;

} // namespace

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT,
// CL_OUT_OF_HOST_MEMORY. An address that is not mapped fails the command with CL_OUT_OF_RESOURCES.
cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue command_queue, void* dst_ptr,
                                         const void* pattern, size_t pattern_size, size_t size,
                                         cl_uint num_events_in_wait_list,
                                         const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    PointerCommand command{"clEnqueueMemFillINTEL", CL_COMMAND_MEMFILL_INTEL, event};
    if (const auto error = command.find_queue(command_queue))
      return error;
    return command.enqueue_fill(dst_ptr, pattern, pattern_size, size, num_events_in_wait_list,
                                event_wait_list);
  });
}

// The extension's first form: `value` is one byte. As clEnqueueMemFillINTEL.
cl_int CL_API_CALL clEnqueueMemsetINTEL(cl_command_queue command_queue, void* dst_ptr, cl_int value,
                                        size_t size, cl_uint num_events_in_wait_list,
                                        const cl_event* event_wait_list, cl_event* event) {
  const auto byte = static_cast<cl_uchar>(value);
  return clEnqueueMemFillINTEL(command_queue, dst_ptr, &byte, sizeof byte, size,
                               num_events_in_wait_list, event_wait_list, event);
}

// As clEnqueueMemFillINTEL, and CL_MEM_COPY_OVERLAP;
// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when blocking.
cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking,
                                        void* dst_ptr, const void* src_ptr, size_t size,
                                        cl_uint num_events_in_wait_list,
                                        const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    PointerCommand command{"clEnqueueMemcpyINTEL", CL_COMMAND_MEMCPY_INTEL, event};
    if (const auto error = command.find_queue(command_queue))
      return error;
    return command.enqueue_copy(blocking, dst_ptr, src_ptr, size, num_events_in_wait_list,
                                event_wait_list);
  });
}

// A hint, and there is nowhere to migrate to. CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE (flags;
// before version 1.2.0 of the extension they must not be 0), CL_INVALID_EVENT_WAIT_LIST,
// CL_INVALID_CONTEXT, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void*, size_t,
                                            cl_mem_migration_flags flags,
                                            cl_uint num_events_in_wait_list,
                                            const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    PointerCommand command{"clEnqueueMigrateMemINTEL", CL_COMMAND_MIGRATEMEM_INTEL, event};
    if (const auto error = command.find_queue(command_queue))
      return error;
    if (flags == 0 || check_migration_flags(flags))
      return CL_INVALID_VALUE;
    if (const auto error = command.check_waits(num_events_in_wait_list, event_wait_list))
      return error;
    return command.enqueue_nothing(false);
  });
}

// The extension defines no advice yet and reserves eight numbers, which are hints that may be
// ignored; 0 is no advice. CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE,
// CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void*, size_t,
                                           cl_mem_advice_intel advice,
                                           cl_uint num_events_in_wait_list,
                                           const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    PointerCommand command{"clEnqueueMemAdviseINTEL", CL_COMMAND_MEMADVISE_INTEL, event};
    if (const auto error = command.find_queue(command_queue))
      return error;
    if (advice != 0 && (advice < kFirstAdvice || advice > kLastAdvice))
      return CL_INVALID_VALUE;
    if (const auto error = command.check_waits(num_events_in_wait_list, event_wait_list))
      return error;
    return command.enqueue_nothing(false);
  });
}
