// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where commands go that entry points have validated: into a queue, or into a command buffer.
#pragma once

#include "runtime/command_buffer/command_buffer.h"

#include <CL/cl.h>

#include <cstdint>
#include <span>

namespace heddle::icd {

// The recording of one command (cl_khr_command_buffer).
class Recorder {
 public:
  // The parameters that all recording calls have.
  struct Call {
    khr::CommandBufferHandle buffer;
    cl_command_queue queue;
    const khr::Properties* properties;
    cl_uint sync_point_count;
    const khr::SyncPoint* sync_points;
    khr::SyncPoint* sync_point;
    khr::CommandHandle* handle;
  };
  explicit Recorder(const Call& call) : call_(call) {}

  // The errors that the recording calls have in common. `takes_options`: properties and a handle
  // are checked by the caller.
  cl_int check(bool takes_options = false);
  CommandBuffer& buffer() const { return *buffer_; }
  // For which the command is.
  Queue& queue() const { return *buffer_->queues()[queue_]; }
  // Throws std::bad_alloc.
  cl_int record(RecordedCommand command) const;
  template <class Body>
  cl_int record(cl_command_type type, std::size_t bytes, bool in_one_piece, Body body) const {
    RecordedCommand command(type, queue_);
    command.transfer = make_recorded_transfer(bytes, in_one_piece, std::move(body));
    return record(std::move(command));
  }
  std::uint32_t queue_index() const { return queue_; }

 private:
  std::span<const cl_uint> sync_points() const {
    return {call_.sync_points, call_.sync_point_count};
  }

  const Call call_;
  CommandBuffer* buffer_ = nullptr;
  std::uint32_t queue_ = 0;
};

// Where a command goes, and what waits for what: with a recorder, the rest is not used.
struct CommandTarget {
  cl_command_queue queue = nullptr;
  cl_uint wait_count = 0;
  const cl_event* wait_list = nullptr;
  cl_event* event = nullptr;
  Recorder* recorder = nullptr; // after check()
};

// The commands that can be enqueued and recorded. Errors are those of the clEnqueue calls.
cl_int copy_buffer(const CommandTarget& target, cl_mem source, cl_mem destination,
                   size_t source_offset, size_t destination_offset, size_t size);
struct BufferSide {
  const size_t* origin;
  size_t row_pitch;
  size_t slice_pitch;
};
cl_int copy_buffer_rect(const CommandTarget& target, cl_mem source, cl_mem destination,
                        const BufferSide& source_side, const BufferSide& destination_side,
                        const size_t* region);
cl_int fill_buffer(const CommandTarget& target, cl_mem buffer, const void* pattern,
                   size_t pattern_size, size_t offset, size_t size);
cl_int copy_image(const CommandTarget& target, cl_mem source, cl_mem destination,
                  const size_t* source_origin, const size_t* destination_origin,
                  const size_t* region);
cl_int copy_image_to_buffer(const CommandTarget& target, cl_mem source, cl_mem destination,
                            const size_t* source_origin, const size_t* region,
                            size_t destination_offset);
cl_int copy_buffer_to_image(const CommandTarget& target, cl_mem source, cl_mem destination,
                            size_t source_offset, const size_t* destination_origin,
                            const size_t* region);
cl_int fill_image(const CommandTarget& target, cl_mem image, const void* color,
                  const size_t* origin, const size_t* region);
cl_int copy_svm(const CommandTarget& target, bool blocking, void* destination, const void* source,
                size_t size);
cl_int fill_svm(const CommandTarget& target, void* pointer, const void* pattern,
                size_t pattern_size, size_t size);

} // namespace heddle::icd
