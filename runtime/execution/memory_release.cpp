// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/memory_release.h"

#include "runtime/allocation/storage.h"
#include "runtime/execution/queue.h"

#include <new>
#include <vector>

namespace heddle {
namespace {

// Frees the memory when the last command that refers to it is destroyed.
class ReleasedMemory final : public Object {
 public:
  explicit ReleasedMemory(const Allocation& allocation) noexcept
      : Object(Kind::dead), allocation_(allocation) {}

 private:
  ~ReleasedMemory() override { storage::free(allocation_.begin, allocation_.size); }

  const Allocation allocation_;
};

// The queues that have commands under way.
std::vector<Ref<Queue>> busy_queues(Context& context, const Queue* done) {
  std::vector<Ref<Queue>> busy;
  context.for_each_queue([&](Queue& queue) {
    if (&queue == done || queue.is_idle())
      return;
    busy.emplace_back();
    if (queue.try_retain())
      busy.back() = Ref<Queue>::adopt(&queue);
    else
      busy.pop_back();
  });
  return busy;
}

} // namespace

void release_memory(Context& context, const Allocation& allocation, const Queue* done) noexcept {
  try {
    const auto busy = busy_queues(context, done);
    if (busy.empty()) {
      storage::free(allocation.begin, allocation.size);
      return;
    }
    const auto memory = make_ref<ReleasedMemory>(allocation);
    if (!memory)
      throw std::bad_alloc();
    for (const auto& queue : busy) {
      auto command = make_command(*queue, CL_COMMAND_MARKER, [kept = memory]() mutable -> cl_int {
        kept = nullptr;
        return CL_COMPLETE;
      });
      if (queue->enqueue_after_all(std::move(command)) != CL_SUCCESS)
        (void)queue->finish();
    }
  } catch (const std::bad_alloc&) {
    // Nothing can keep track of the memory: it is leaked rather than reused too early.
  }
}

void finish_all_queues(Context& context) {
  for (const auto& queue : busy_queues(context, nullptr))
    (void)queue->finish();
}

} // namespace heddle
