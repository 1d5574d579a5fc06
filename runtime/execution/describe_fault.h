// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What users are told of a kernel that failed.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "compiler/interface/metadata.h"
#include "runtime/context/context.h"
#include "runtime/execution/fault_guard.h"
#include "runtime/execution/worker_thread.h"

#include <string>

namespace heddle {

// The kernel, the work-items, one of which failed, and where: `thread` still has their position.
std::string describe_fault(const Fault& fault, const WorkerThread& thread,
                           const KernelMetadata& kernel, const abi::Launch& launch,
                           const Context& context);

} // namespace heddle
