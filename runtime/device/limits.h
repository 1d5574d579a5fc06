// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device's limits: reported by device queries, enforced where objects are created and launched.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "compiler/interface/metadata.h"
#include "compiler/interface/pipe_ring.h"

#include <cstddef>
#include <cstdint>

namespace heddle::limits {

constexpr std::size_t kWorkGroupSize = abi::kMaxWorkItems; // and the maximum in each dimension
constexpr std::size_t kSubGroupSize = kLargestSubGroup;
constexpr std::uint64_t kLocalBytes = 256 * 1024;
constexpr std::size_t kPrintfBytes = 1024 * 1024;
constexpr std::size_t kParameterBytes = 4096;
constexpr std::size_t kProgramScopeBytes = 64 * 1024; // of one program-scope variable
constexpr std::uint32_t kConstantArguments = 128;
constexpr std::uint32_t kPipeArguments = HEDDLE_PIPE_MAX_ARGUMENTS;
constexpr std::uint32_t kPipeReservations = HEDDLE_PIPE_MAX_RESERVATIONS; // of one work-item
constexpr std::uint32_t kPipePacketBytes = HEDDLE_PIPE_MAX_PACKET_BYTES;
// Of device queues. Nothing is allocated before it is enqueued, so they may be as large as programs
// like: the preferred size is room for a hundred thousand blocks with a few variables.
constexpr std::uint32_t kDeviceQueueBytes = 16U << 20;
constexpr std::uint32_t kMaxDeviceQueueBytes = 1U << 30;
constexpr std::uint32_t kDeviceQueues = 1024;
constexpr std::uint32_t kDeviceEvents = 1U << 20; // in use by a device queue
// Of a work-group. Each takes 12 bytes of local memory.
constexpr std::uint32_t kNamedBarriers = 1024;
constexpr std::uint32_t kBaseAlignment = 128; // of buffers and sub-buffers, in bytes

// Images: the width and height of 2D images, which is also the width of 1D images; each dimension
// of 3D images; the images of an array; the elements of a 1D image buffer.
constexpr std::size_t kImage2D = 16384;
constexpr std::size_t kImage3D = 2048;
constexpr std::size_t kImageLayers = 2048;
constexpr std::size_t kImageBufferTexels = std::size_t{1} << 27;
constexpr std::uint32_t kReadImageArguments = 128;
constexpr std::uint32_t kWriteImageArguments = 64; // and of read_write images
constexpr std::uint32_t kSamplers = 32;
// Of images made from buffers, in elements.
constexpr std::uint32_t kImagePitchAlignment = 1;
constexpr std::uint32_t kImageAddressAlignment = 1;

// CL_DEVICE_MAX_MEM_ALLOC_SIZE.
std::uint64_t allocation_bytes();
// CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE.
std::uint64_t constant_bytes();

} // namespace heddle::limits
