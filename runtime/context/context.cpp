// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/context/context.h"

#include <algorithm>

namespace heddle {

Context::Context(std::vector<ParentRef<Device>> devices,
                 std::vector<cl_context_properties> properties, Notify notify, void* user_data)
    : Object(Kind::context), devices_(std::move(devices)), properties_(std::move(properties)),
      notify_(notify), user_data_(user_data) {}

Context::~Context() = default;

bool Context::has(const Device* device) const {
  return std::any_of(devices_.begin(), devices_.end(),
                     [&](const auto& own) { return own.get() == device; });
}

void Context::report(const std::string& message) const {
  if (notify_)
    notify_(message.c_str(), nullptr, 0, user_data_);
}

void Context::add_destructor(Destructor callback, void* user_data) {
  const std::lock_guard lock(mutex_);
  destructors_.emplace_back(callback, user_data);
}

void Context::on_user_released() noexcept {
  // No callback can be added any more: the handle is dead.
  for (auto entry = destructors_.rbegin(); entry != destructors_.rend(); ++entry)
    entry->first(static_cast<cl_context>(handle()), entry->second);
}

} // namespace heddle
