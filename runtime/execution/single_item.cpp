// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/single_item.h"

#include "runtime/execution/fault_guard.h"
#include "runtime/execution/print_buffer.h"
#include "runtime/execution/worker_thread.h"

#include <cstdio>
#include <new>

namespace heddle {

std::string run_single_item(const KernelMetadata& kernel, abi::KernelFunction function,
                            std::byte* program_scope) {
  if (kernel.uses_device_queues)
    return "it may use device queues, which is for kernels that the host enqueues";
  abi::Launch launch{};
  launch.program_scope = program_scope;
  launch.work_dim = 1;
  for (int d = 0; d < 3; ++d)
    launch.global_size[d] = launch.local_size[d] = launch.group_count[d] = 1;
  abi::set_merging(launch, launch.local_size);
  fault_guard::prepare_thread();
  auto* thread = WorkerThread::current();
  if (!thread || !thread->prepare(kernel, 1, kernel.local_bytes))
    throw std::bad_alloc();
  PrintBuffer prints;
  Fault fault;
  const bool done = thread->run(function, launch, 0, 1, prints, nullptr, nullptr, fault);
  prints.flush();
  if (done)
    return "";
  if (!fault.message.empty()) // of a failed assertion
    return fault.message;
  if (thread->is_stack_guard(fault.address))
    return "its stack overflowed";
  char address[64];
  std::snprintf(address, sizeof address, "%p", fault.address);
  return fault.signal_name() + " at address " + address;
}

} // namespace heddle
