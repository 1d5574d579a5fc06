// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands on memory that is known by its address: what those of SVM and of USM have in common.
#pragma once

#include "icd/arguments.h"
#include "icd/recorder.h"
#include "runtime/execution/queue.h"

namespace heddle::icd {

// The queue and events of one command, and the name of its entry point, for messages.
struct PointerCommand {
  const char* name;
  cl_command_type type;
  cl_event* event;
  bool takes_null_for_nothing = false; // null pointers to no bytes are no error
  Recorder* recorder = nullptr;        // null: enqueued
  Queue* queue = nullptr;
  WaitList waits{};

  // CL_INVALID_COMMAND_QUEUE.
  cl_int find_queue(cl_command_queue handle) {
    queue = recorder ? &recorder->queue() : find<Queue>(handle);
    return queue ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
  }
  // CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT.
  cl_int check_waits(cl_uint count, const cl_event* list) {
    if (recorder)
      return CL_SUCCESS;
    return waits.check(count, list, queue->context());
  }
  // A command that only orders what comes before and after it.
  cl_int enqueue_nothing(bool blocking);
  // memcpy; the command keeps `kept`, which may be null. CL_INVALID_VALUE, CL_MEM_COPY_OVERLAP.
  cl_int enqueue_copy(bool blocking, void* to, const void* from, size_t size, cl_uint wait_count,
                      const cl_event* wait_list, Ref<Object> kept = nullptr);
  // CL_INVALID_VALUE.
  cl_int enqueue_fill(void* to, const void* pattern, size_t pattern_size, size_t size,
                      cl_uint wait_count, const cl_event* wait_list);
};

// CL_INVALID_VALUE for flags of a migration that do not exist.
cl_int check_migration_flags(cl_mem_migration_flags flags);

} // namespace heddle::icd
