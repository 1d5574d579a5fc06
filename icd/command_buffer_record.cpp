// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recording of commands that move and fill memory, and of barriers. Each call has the errors of
// Recorder::check(), and those of the clEnqueue call but for its queue and events.
#include "icd/arguments.h"
#include "icd/command_buffer_entries.h"
#include "icd/recorder.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::icd;

namespace heddle::icd {

cl_int Recorder::check(bool takes_options) {
  buffer_ = find<CommandBuffer>(call_.buffer);
  if (!buffer_)
    return khr::kInvalidCommandBuffer;
  if (!buffer_->is_recording())
    return CL_INVALID_OPERATION;
  const auto queues = buffer_->queues();
  if (call_.queue) {
    const auto place = std::ranges::find_if(queues, [this](const auto& queue) {
      return queue->handle() == static_cast<const void*>(call_.queue);
    });
    if (place == queues.end()) {
      const auto* other = find<Queue>(call_.queue);
      return other && &other->context() != &buffer_->context() ? CL_INVALID_CONTEXT
                                                               : CL_INVALID_COMMAND_QUEUE;
    }
    queue_ = static_cast<std::uint32_t>(place - queues.begin());
  } else if (queues.size() != 1) {
    return CL_INVALID_COMMAND_QUEUE;
  }
  if (!takes_options && ((call_.properties && *call_.properties != 0) || call_.handle))
    return CL_INVALID_VALUE;
  if ((call_.sync_point_count == 0) != (call_.sync_points == nullptr))
    return khr::kInvalidSyncPointWaitList;
  return buffer_->check_recording(sync_points());
}

cl_int Recorder::record(RecordedCommand command) const {
  void* handle = nullptr;
  const auto sync_point =
      buffer_->record(std::move(command), sync_points(), call_.handle ? &handle : nullptr);
  auto recorded = sync_point;
  if (!recorded)
    return recorded.error();
  if (call_.sync_point)
    *call_.sync_point = *recorded;
  if (call_.handle)
    *call_.handle = static_cast<khr::CommandHandle>(handle);
  return CL_SUCCESS;
}

namespace {

// Calls `body`, a callable cl_int(const CommandTarget&), for a command that has no options.
template <class Body>
cl_int record(const Recorder::Call& call, Body body) {
  return guarded([&]() -> cl_int {
    Recorder recorder(call);
    if (const auto error = recorder.check())
      return error;
    CommandTarget target;
    target.recorder = &recorder;
    return body(target);
  });
}

} // namespace

namespace command_buffers {

cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(
    khr::CommandBufferHandle command_buffer, cl_command_queue command_queue,
    const khr::Properties* properties, cl_uint sync_point_count, const khr::SyncPoint* sync_points,
    khr::SyncPoint* sync_point, khr::CommandHandle* handle) {
  const Recorder::Call call{command_buffer, command_queue, properties, sync_point_count,
                            sync_points,    sync_point,    handle};
  return record(call, [](const CommandTarget& target) {
    return target.recorder->record(
        RecordedCommand(CL_COMMAND_BARRIER, target.recorder->queue_index()));
  });
}

cl_int CL_API_CALL clCommandCopyBufferKHR(khr::CommandBufferHandle command_buffer,
                                          cl_command_queue command_queue,
                                          const khr::Properties* properties, cl_mem src_buffer,
                                          cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                          size_t size, cl_uint sync_point_count,
                                          const khr::SyncPoint* sync_points,
                                          khr::SyncPoint* sync_point, khr::CommandHandle* handle) {
  const Recorder::Call call{command_buffer, command_queue, properties, sync_point_count,
                            sync_points,    sync_point,    handle};
  return record(call, [&](const CommandTarget& target) {
    return copy_buffer(target, src_buffer, dst_buffer, src_offset, dst_offset, size);
  });
}

cl_int CL_API_CALL clCommandCopyBufferRectKHR(
    khr::CommandBufferHandle command_buffer, cl_command_queue command_queue,
    const khr::Properties* properties, cl_mem src_buffer, cl_mem dst_buffer,
    const size_t* src_origin, const size_t* dst_origin, const size_t* region, size_t src_row_pitch,
    size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch, cl_uint sync_point_count,
    const khr::SyncPoint* sync_points, khr::SyncPoint* sync_point, khr::CommandHandle* handle) {
  const Recorder::Call call{command_buffer, command_queue, properties, sync_point_count,
                            sync_points,    sync_point,    handle};
  return record(call, [&](const CommandTarget& target) {
    return copy_buffer_rect(target, src_buffer, dst_buffer,
                            {src_origin, src_row_pitch, src_slice_pitch},
                            {dst_origin, dst_row_pitch, dst_slice_pitch}, region);
  });
}

cl_int CL_API_CALL clCommandCopyBufferToImageKHR(
    khr::CommandBufferHandle command_buffer, cl_command_queue command_queue,
    const khr::Properties* properties, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
    const size_t* dst_origin, const size_t* region, cl_uint sync_point_count,
    const khr::SyncPoint* sync_points, khr::SyncPoint* sync_point, khr::CommandHandle* handle) {
  const Recorder::Call call{command_buffer, command_queue, properties, sync_point_count,
                            sync_points,    sync_point,    handle};
  return record(call, [&](const CommandTarget& target) {
    return copy_buffer_to_image(target, src_buffer, dst_image, src_offset, dst_origin, region);
  });
}

cl_int CL_API_CALL clCommandCopyImageKHR(
    khr::CommandBufferHandle command_buffer, cl_command_queue command_queue,
    const khr::Properties* properties, cl_mem src_image, cl_mem dst_image, const size_t* src_origin,
    const size_t* dst_origin, const size_t* region, cl_uint sync_point_count,
    const khr::SyncPoint* sync_points, khr::SyncPoint* sync_point, khr::CommandHandle* handle) {
  const Recorder::Call call{command_buffer, command_queue, properties, sync_point_count,
                            sync_points,    sync_point,    handle};
  return record(call, [&](const CommandTarget& target) {
    return copy_image(target, src_image, dst_image, src_origin, dst_origin, region);
  });
}

cl_int CL_API_CALL clCommandCopyImageToBufferKHR(
    khr::CommandBufferHandle command_buffer, cl_command_queue command_queue,
    const khr::Properties* properties, cl_mem src_image, cl_mem dst_buffer,
    const size_t* src_origin, const size_t* region, size_t dst_offset, cl_uint sync_point_count,
    const khr::SyncPoint* sync_points, khr::SyncPoint* sync_point, khr::CommandHandle* handle) {
  const Recorder::Call call{command_buffer, command_queue, properties, sync_point_count,
                            sync_points,    sync_point,    handle};
  return record(call, [&](const CommandTarget& target) {
    return copy_image_to_buffer(target, src_image, dst_buffer, src_origin, region, dst_offset);
  });
}

cl_int CL_API_CALL clCommandFillBufferKHR(khr::CommandBufferHandle command_buffer,
                                          cl_command_queue command_queue,
                                          const khr::Properties* properties, cl_mem buffer,
                                          const void* pattern, size_t pattern_size, size_t offset,
                                          size_t size, cl_uint sync_point_count,
                                          const khr::SyncPoint* sync_points,
                                          khr::SyncPoint* sync_point, khr::CommandHandle* handle) {
  const Recorder::Call call{command_buffer, command_queue, properties, sync_point_count,
                            sync_points,    sync_point,    handle};
  return record(call, [&](const CommandTarget& target) {
    return fill_buffer(target, buffer, pattern, pattern_size, offset, size);
  });
}

cl_int CL_API_CALL clCommandFillImageKHR(khr::CommandBufferHandle command_buffer,
                                         cl_command_queue command_queue,
                                         const khr::Properties* properties, cl_mem image,
                                         const void* fill_color, const size_t* origin,
                                         const size_t* region, cl_uint sync_point_count,
                                         const khr::SyncPoint* sync_points,
                                         khr::SyncPoint* sync_point, khr::CommandHandle* handle) {
  const Recorder::Call call{command_buffer, command_queue, properties, sync_point_count,
                            sync_points,    sync_point,    handle};
  return record(call, [&](const CommandTarget& target) {
    return fill_image(target, image, fill_color, origin, region);
  });
}

cl_int CL_API_CALL clCommandSVMMemcpyKHR(khr::CommandBufferHandle command_buffer,
                                         cl_command_queue command_queue,
                                         const khr::Properties* properties, void* dst_ptr,
                                         const void* src_ptr, size_t size, cl_uint sync_point_count,
                                         const khr::SyncPoint* sync_points,
                                         khr::SyncPoint* sync_point, khr::CommandHandle* handle) {
  const Recorder::Call call{command_buffer, command_queue, properties, sync_point_count,
                            sync_points,    sync_point,    handle};
  return record(call, [&](const CommandTarget& target) {
    return copy_svm(target, false, dst_ptr, src_ptr, size);
  });
}

cl_int CL_API_CALL clCommandSVMMemFillKHR(khr::CommandBufferHandle command_buffer,
                                          cl_command_queue command_queue,
                                          const khr::Properties* properties, void* svm_ptr,
                                          const void* pattern, size_t pattern_size, size_t size,
                                          cl_uint sync_point_count,
                                          const khr::SyncPoint* sync_points,
                                          khr::SyncPoint* sync_point, khr::CommandHandle* handle) {
  const Recorder::Call call{command_buffer, command_queue, properties, sync_point_count,
                            sync_points,    sync_point,    handle};
  return record(call, [&](const CommandTarget& target) {
    return fill_svm(target, svm_ptr, pattern, pattern_size, size);
  });
}

} // namespace command_buffers
} // namespace heddle::icd
