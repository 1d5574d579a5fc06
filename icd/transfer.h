// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all commands on memory objects share (OpenCL API 5.2, 5.3).
#pragma once

#include "icd/arguments.h"
#include "icd/recorder.h"
#include "runtime/execution/bulk_command.h"
#include "runtime/execution/queue.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/rect.h"

#include <optional>
#include <utility>

namespace heddle::icd {

constexpr cl_mem_flags kHostCannotRead = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kHostCannotWrite =
    CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | kImmutable;

// The queue, memory objects and events of one command.
struct Transfer {
  Transfer() = default;
  explicit Transfer(const CommandTarget& target) : recorder(target.recorder) {}

  Recorder* recorder = nullptr; // null: enqueued
  Queue* queue = nullptr;
  Memory* memory = nullptr;
  Memory* other = nullptr; // of copies: the destination
  WaitList waits;

  // The memory object of a handle, or null if it is not of the type that the command takes.
  using Find = Memory* (*)(const void* handle) noexcept;

  // CL_INVALID_COMMAND_QUEUE, CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
  cl_int find_objects(cl_command_queue queue_handle, cl_mem handle, Find find_one = find_buffer) {
    queue = recorder ? &recorder->queue() : find<Queue>(queue_handle);
    if (!queue)
      return CL_INVALID_COMMAND_QUEUE;
    memory = find_one(handle);
    return check_memory(memory);
  }
  cl_int find_objects(cl_command_queue queue_handle, cl_mem source, cl_mem destination,
                      Find find_source = find_buffer, Find find_destination = find_buffer) {
    if (const auto error = find_objects(queue_handle, source, find_source))
      return error;
    other = find_destination(destination);
    return check_memory(other);
  }
  // CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT.
  cl_int check_waits(cl_uint count, const cl_event* list) {
    if (recorder)
      return CL_SUCCESS;
    return waits.check(count, list, queue->context());
  }
  // The same of a copy or a fill, which writes into the last of the memory objects:
  // CL_INVALID_OPERATION, too.
  cl_int check_waits(const CommandTarget& target) {
    if (const auto error = check_waits(target.wait_count, target.wait_list))
      return error;
    return (other ? other : memory)->is_immutable() ? CL_INVALID_OPERATION : CL_SUCCESS;
  }
  // Enqueues a command that calls the body, a callable cl_int().
  template <class Body>
  cl_int enqueue(cl_command_type type, cl_event* event, bool blocking, Body body) {
    return queue->enqueue(make_command(*queue, type, std::move(body)), waits.events(), event,
                          blocking);
  }
  // Enqueues or records a command with a body void(begin, end), which keeps the memory objects. The
  // device's threads share a large one, unless `in_one_piece`: they call it for pieces of [0, size)
  // at the same time.
  template <class Body>
  cl_int enqueue_pieces(cl_command_type type, cl_event* event, bool blocking, std::size_t size,
                        bool in_one_piece, Body body) {
    if (recorder)
      return recorder->record(type, size, in_one_piece, std::move(body));
    if (size >= kBulkBytes && !in_one_piece)
      return queue->enqueue(make_bulk_command(*queue, type, size, std::move(body)), waits.events(),
                            event, blocking);
    return enqueue(type, event, blocking,
                   [body = std::optional(std::move(body)), size]() mutable -> cl_int {
                     (*body)(0, size);
                     body.reset(); // the user may keep the event for long
                     return CL_COMPLETE;
                   });
  }

 private:
  cl_int check_memory(const Memory* found) const {
    if (!found)
      return CL_INVALID_MEM_OBJECT;
    return &found->context() == &queue->context() ? CL_SUCCESS : CL_INVALID_CONTEXT;
  }
};

// Enqueues a command on a region, a RectCopy or RectFill, which keeps the transfer's memory objects
// until it is done. The device's threads share a large one unless `in_one_piece`.
template <class Work>
cl_int enqueue_rect(Transfer& transfer, cl_command_type type, cl_event* event, bool blocking,
                    const Work& work, bool in_one_piece) {
  auto run = [memory = Ref<Memory>(transfer.memory), other = Ref<Memory>(transfer.other),
              work](std::size_t begin, std::size_t end) { work.run(begin, end); };
  return transfer.enqueue_pieces(type, event, blocking, work.bytes(), in_one_piece, std::move(run));
}

// Source and destination may overlap if the user's pointer is into memory of CL_MEM_USE_HOST_PTR.
inline cl_int enqueue_copy(Transfer& transfer, cl_command_type type, cl_event* event, bool blocking,
                           const RectCopy& copy) {
  return enqueue_rect(transfer, type, event, blocking, copy, copy.is_overlapping());
}

} // namespace heddle::icd
