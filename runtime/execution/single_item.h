// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that is no command: one work-item without arguments.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "compiler/interface/metadata.h"

#include <cstddef>
#include <string>

namespace heddle {

// Runs the kernel on the calling thread, which must not be inside a kernel, and returns when it has
// ended; its output has been printed then. Empty, or why it failed: it faulted, or it may use
// device queues. Throws std::bad_alloc if the system does not provide its memory.
std::string run_single_item(const KernelMetadata& kernel, abi::KernelFunction function,
                            std::byte* program_scope);

} // namespace heddle
