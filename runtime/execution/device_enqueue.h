// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels call for device-side enqueue: abi::Worker::device_queue.
//
// These functions run on the stack of the kernel that calls them. Memory that the kernel names may
// be invalid: a fault leaves them at any access to it, so no lock is held then.
#pragma once

#include "compiler/interface/device_queue_calls.h"

namespace heddle::device_enqueue {

const abi::DeviceQueueCalls& calls() noexcept;

} // namespace heddle::device_enqueue
