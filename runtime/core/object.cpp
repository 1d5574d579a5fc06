// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/object.h"

namespace heddle {

Object::~Object() {
  if (auto* slot = slot_.load(std::memory_order_relaxed))
    handle_table::release(slot);
}

void* Object::handle() noexcept {
  auto* slot = slot_.load(std::memory_order_acquire);
  if (slot)
    return slot;
  auto* fresh = handle_table::acquire(kind_, this);
  if (!fresh)
    return nullptr;
  if (slot_.compare_exchange_strong(slot, fresh, std::memory_order_acq_rel))
    return fresh;
  handle_table::release(fresh);
  return slot;
}

void Object::retain_user() noexcept {
  visible_.fetch_add(1, std::memory_order_relaxed);
  references_.fetch_add(1, std::memory_order_relaxed);
  users_.fetch_add(1, std::memory_order_relaxed);
}

bool Object::release_user() noexcept {
  auto users = users_.load(std::memory_order_relaxed);
  do {
    if (users == 0)
      return false;
  } while (!users_.compare_exchange_weak(users, users - 1, std::memory_order_acq_rel));
  release_child();
  return true;
}

void Object::retain_child() noexcept {
  visible_.fetch_add(1, std::memory_order_relaxed);
  references_.fetch_add(1, std::memory_order_relaxed);
}

void Object::release_child() noexcept {
  if (visible_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    on_user_released();
    if (auto* slot = slot_.exchange(nullptr, std::memory_order_acq_rel))
      handle_table::release(slot);
  }
  release();
}

void Object::release(std::uint32_t count) noexcept {
  if (references_.fetch_sub(count, std::memory_order_acq_rel) == count)
    delete this;
}

void Object::release() noexcept {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete this;
}

} // namespace heddle
