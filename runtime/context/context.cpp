// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/context/context.h"

#include "runtime/allocation/allocation_map.h"
#include "runtime/core/lock.h"
#include "runtime/core/program_code.h"
#include "runtime/trace/tasks.h"

#include <CL/cl_ext.h>

#include <algorithm>

namespace heddle {

Context::Context(std::vector<ParentRef<Device>> devices,
                 std::vector<cl_context_properties> properties, Notify notify, void* user_data)
    : Object(Kind::context), devices_(std::move(devices)), properties_(std::move(properties)),
      notify_(notify), user_data_(user_data), allocations_(std::make_unique<AllocationMap>()) {
  trace::open_collector();
  for (std::size_t i = 0; i + 1 < properties_.size(); i += 2) {
    if (properties_[i] == CL_CONTEXT_MEMORY_INITIALIZE_KHR)
      initialized_memory_ = static_cast<cl_bitfield>(properties_[i + 1]);
    if (properties_[i] == CL_CONTEXT_TERMINATE_KHR && properties_[i + 1])
      termination_ = std::make_unique<Termination>();
  }
}

Context::~Context() = default;

bool Context::has(const Device* device) const {
  return std::any_of(devices_.begin(), devices_.end(),
                     [&](const auto& own) { return own.get() == device; });
}

void Context::report(const std::string& message) const {
  if (notify_)
    program_code::call([&] { notify_(message.c_str(), nullptr, 0, user_data_); });
}

void Context::add_destructor(Destructor callback, void* user_data) {
  const Lock lock(mutex_);
  destructors_.emplace_back(callback, user_data);
}

void Context::add_queue(Queue& queue) {
  const Lock lock(queues_mutex_);
  queues_.push_back(&queue);
}

void Context::remove_queue(Queue& queue) noexcept {
  const Lock lock(queues_mutex_);
  std::erase(queues_, &queue);
}

void Context::on_user_released() noexcept {
  // No callback can be added any more: the handle is dead.
  std::vector<std::pair<Destructor, void*>> destructors;
  {
    const Lock lock(mutex_);
    destructors.swap(destructors_);
  }
  if (!destructors.empty())
    program_code::call([&] {
      for (auto entry = destructors.rbegin(); entry != destructors.rend(); ++entry)
        entry->first(static_cast<cl_context>(handle()), entry->second);
    });
}

} // namespace heddle
