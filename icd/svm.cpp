// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocating and freeing SVM (OpenCL API 5.6).
#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/svm_transfer.h"
#include "runtime/allocation/storage.h"
#include "runtime/core/program_code.h"
#include "runtime/device/limits.h"
#include "runtime/execution/executor.h"
#include "runtime/execution/memory_release.h"
#include "runtime/memory/shared_memory.h"

#include <bit>
#include <vector>

using namespace heddle;
using namespace heddle::icd;

namespace {

// What clSVMFree takes: programs mix it with USM.
constexpr unsigned kFreeable = kSvmAllocation | kUsmAllocations;

bool are_valid_flags(cl_svm_mem_flags flags) {
  constexpr cl_svm_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  constexpr cl_svm_mem_flags kGrain = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  return !(flags & ~(kAccess | kGrain)) && std::popcount(flags & kAccess) <= 1 &&
         (!(flags & CL_MEM_SVM_ATOMICS) || (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER));
}

using FreeFunction = void(CL_CALLBACK*)(cl_command_queue, cl_uint, void*[], void*);

// Gives the allocations back, or has the user's function do it, which may wait for others.
class FreeCommand final : public Command {
 public:
  FreeCommand(Queue& queue, std::vector<void*> pointers, FreeFunction function, void* user_data)
      : Command(queue, CL_COMMAND_SVM_FREE), pointers_(std::move(pointers)), function_(function),
        user_data_(user_data), shown_queue_(function ? &queue : nullptr) {}

  std::optional<cl_int> execute(Executor& executor) noexcept override {
    auto& queue = *Event::queue();
    if (function_) {
      executor.begin_callbacks();
      program_code::call([&] {
        function_(static_cast<cl_command_queue>(queue.handle()),
                  static_cast<cl_uint>(pointers_.size()), pointers_.data(), user_data_);
      });
      executor.end_callbacks();
      return CL_COMPLETE;
    }
    auto& allocations = queue.context().allocations();
    for (auto* pointer : pointers_)
      if (const auto allocation = allocations.remove(pointer, kFreeable))
        release_memory(queue.context(), *allocation, queue.in_order() ? &queue : nullptr);
    return CL_COMPLETE;
  }

 private:
  std::vector<void*> pointers_;
  const FreeFunction function_;
  void* const user_data_;
  const ParentRef<Queue> shown_queue_; // the function gets its handle
};

} // namespace

// Null for what is not valid, as the specification says.
void* CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                             cl_uint alignment) {
  return guarded_create<void*>(nullptr, [&]() -> Result<void*> {
    auto* owner = find<Context>(context);
    if (const auto error = check_context(owner))
      return error;
    if (!are_valid_flags(flags) || std::popcount(alignment) > 1 ||
        alignment > storage::kMaxAlignment)
      return CL_INVALID_VALUE;
    if (size == 0 || size > limits::allocation_bytes())
      return CL_INVALID_BUFFER_SIZE;
    const auto writes = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER
                            ? shared_memory::HostWrites::always
                            : shared_memory::HostWrites::by_commands;
    return shared_memory::allocate(*owner, kSvmAllocation, size, alignment, nullptr, flags, writes);
  });
}

// Ignores addresses that clSVMAlloc did not return and addresses that were freed before. The
// memory stays until commands that are under way have finished.
void CL_API_CALL clSVMFree(cl_context context, void* svm_pointer) {
  (void)guarded([&]() -> cl_int {
    auto* owner = find<Context>(context);
    if (!owner)
      return CL_INVALID_CONTEXT;
    if (const auto allocation = owner->allocations().remove(svm_pointer, kFreeable))
      release_memory(*owner, *allocation, nullptr);
    return CL_SUCCESS;
  });
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT,
// CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                    void* svm_pointers[], FreeFunction pfn_free_func,
                                    void* user_data, cl_uint num_events_in_wait_list,
                                    const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    PointerCommand command{"clEnqueueSVMFree", CL_COMMAND_SVM_FREE, event};
    if (const auto error = command.find_queue(command_queue))
      return error;
    if ((num_svm_pointers == 0) != (svm_pointers == nullptr))
      return CL_INVALID_VALUE;
    if (const auto error = command.check_waits(num_events_in_wait_list, event_wait_list))
      return error;
    std::vector<void*> pointers(svm_pointers, svm_pointers + num_svm_pointers);
    auto& queue = *command.queue;
    return queue.enqueue(Ref<Command>::adopt(new (std::nothrow) FreeCommand(
                             queue, std::move(pointers), pfn_free_func, user_data)),
                         command.waits.events(), event, false);
  });
}
