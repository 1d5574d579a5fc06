// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base class of OpenCL objects: reference counts and the handle.
//
// Three kinds of references keep an object alive:
//  - the user's (clRetain*, clRelease*; reported as CL_*_REFERENCE_COUNT);
//  - a child's (ParentRef): a queue keeps its context, a kernel its program. The handle stays
//    valid, because the user can ask the child for its parent;
//  - the runtime's own (Ref): a pending command keeps its kernel. The handle may already be dead.
#pragma once

#include "runtime/core/handle_table.h"

#include <atomic>
#include <cstdint>
#include <new>
#include <utility>

namespace heddle {

class Object {
 public:
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  Kind kind() const noexcept { return kind_; }
  // The handle, allocated on first use (an event that the user did not request gets none). Null
  // when handles are exhausted.
  void* handle() noexcept;

  // The user's references. retain_user() on a new object gives it to the user; release_user()
  // returns false if the user holds no reference.
  void retain_user() noexcept;
  [[nodiscard]] bool release_user() noexcept;
  std::uint32_t user_references() const noexcept { return users_.load(std::memory_order_relaxed); }

  void retain_child() noexcept;
  void release_child() noexcept;
  void retain(std::uint32_t count = 1) noexcept {
    references_.fetch_add(count, std::memory_order_relaxed);
  }
  void release() noexcept;
  void release(std::uint32_t count) noexcept;
  // False if the object is being destroyed: for lists that do not keep what they list.
  [[nodiscard]] bool try_retain() noexcept {
    auto count = references_.load(std::memory_order_relaxed);
    while (count != 0)
      if (references_.compare_exchange_weak(count, count + 1, std::memory_order_acq_rel))
        return true;
    return false;
  }
  // True if only the caller refers to the object.
  bool is_unique() const noexcept { return references_.load(std::memory_order_acquire) == 1; }

 protected:
  // Objects start with one runtime reference, which make_ref() takes over.
  explicit Object(Kind kind) noexcept : kind_(kind) {}
  virtual ~Object();
  // Called once, when the last user and child reference is released, before the handle becomes
  // invalid.
  virtual void on_user_released() noexcept {}

 private:
  const Kind kind_;
  std::atomic<std::uint32_t> references_{
      1}; // dropped acquire-release; added relaxed, by owners of one
  std::atomic<std::uint32_t> users_{0};
  std::atomic<std::uint32_t> visible_{
      0}; // of users and children: the handle is valid while this is not 0
  std::atomic<HandleSlot*> slot_{nullptr}; // released when it names this object
};

// A counted reference of the runtime.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) noexcept : object_(object) {
    if (object_)
      object_->retain();
  }
  static Ref adopt(T* object) noexcept {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  Ref(const Ref& other) noexcept : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
  Ref(Ref<U> other) noexcept : object_(other.leak()) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_)
      object_->release();
  }
  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  // Returns the pointer without releasing the reference.
  T* leak() noexcept { return std::exchange(object_, nullptr); }
  bool operator==(const Ref&) const = default;

 private:
  T* object_ = nullptr;
};

// Creates an object; null when memory is exhausted.
template <class T, class... Arguments>
Ref<T> make_ref(Arguments&&... arguments) {
  return Ref<T>::adopt(new (std::nothrow) T(std::forward<Arguments>(arguments)...));
}

// A child's reference to its parent: keeps the object and its handle.
template <class T>
class ParentRef {
 public:
  ParentRef() = default;
  explicit ParentRef(T* object) noexcept : object_(object) {
    if (object_)
      object_->retain_child();
  }
  ParentRef(const ParentRef& other) noexcept : ParentRef(other.object_) {}
  ParentRef(ParentRef&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ParentRef& operator=(ParentRef other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~ParentRef() {
    if (object_)
      object_->release_child();
  }
  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

// The object of a user's handle, or null if the handle is not a live one of T's kind.
template <class T>
T* find(const void* handle) noexcept {
  return static_cast<T*>(handle_table::find(handle, T::kKind));
}

} // namespace heddle
