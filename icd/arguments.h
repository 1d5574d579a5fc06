// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Argument validation shared by the entry points, and the conversion of exceptions to error codes.
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/object.h"
#include "runtime/core/result.h"
#include "runtime/execution/event.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <span>

namespace heddle::icd {

// Runs the body of an entry point that returns an error code; exceptions (out of memory, no thread)
// become error codes.
template <class Body>
cl_int guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return CL_OUT_OF_HOST_MEMORY;
  } catch (const std::exception&) {
    return CL_OUT_OF_RESOURCES;
  }
}

// The same for entry points that return a handle (or pointer) and store the code to errcode_ret,
// which may be null. The body returns Result<Handle>.
template <class Handle, class Body>
Handle guarded_create(cl_int* errcode_ret, Body body) noexcept {
  Handle handle = nullptr;
  const cl_int error = guarded([&]() -> cl_int {
    Result<Handle> result = body();
    if (result)
      handle = *result;
    return result.error();
  });
  if (errcode_ret)
    *errcode_ret = error;
  return handle;
}

// For calls that make something in a context, or change it: null, CL_INVALID_CONTEXT, or
// CL_CONTEXT_TERMINATED_KHR.
inline cl_int check_context(const Context* context) noexcept {
  return !context                   ? CL_INVALID_CONTEXT
         : context->is_terminated() ? CL_CONTEXT_TERMINATED_KHR
                                    : CL_SUCCESS;
}

// Gives a new object to the user: adds a user reference and returns the handle.
// CL_OUT_OF_HOST_MEMORY if the object is null or handles are exhausted.
template <class Handle, class T>
Result<Handle> give_to_user(Ref<T> object) {
  if (!object)
    return CL_OUT_OF_HOST_MEMORY;
  object->retain_user();
  if (void* handle = object->handle())
    return static_cast<Handle>(handle);
  (void)object->release_user();
  return CL_OUT_OF_HOST_MEMORY;
}

// clRetain*: returns `error` if the handle is not a live one of this kind.
template <class T>
cl_int retain_handle(const void* handle, cl_int error) noexcept {
  auto* object = find<T>(handle);
  if (!object)
    return error;
  object->retain_user();
  return CL_SUCCESS;
}

// clRelease*: returns `error` also if the user holds no reference any more (a child may keep the
// handle).
template <class T>
cl_int release_handle(const void* handle, cl_int error) noexcept {
  auto* object = find<T>(handle);
  return object && object->release_user() ? CL_SUCCESS : error;
}

// An event wait list. check() returns CL_INVALID_EVENT_WAIT_LIST if the list and its length do not
// match or a member is not an event, CL_INVALID_CONTEXT if an event is of another context.
class WaitList {
 public:
  WaitList() = default;
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;

  cl_int check(cl_uint count, const cl_event* list, const Context& context) {
    if ((count == 0) != (list == nullptr))
      return CL_INVALID_EVENT_WAIT_LIST;
    if (count > few_.size()) {
      many_.reset(new (std::nothrow) Event*[count]);
      if (!many_)
        return CL_OUT_OF_HOST_MEMORY;
    }
    auto** events = many_ ? many_.get() : few_.data();
    for (cl_uint i = 0; i < count; ++i) {
      events[i] = find<Event>(list[i]);
      if (!events[i])
        return CL_INVALID_EVENT_WAIT_LIST;
      if (&events[i]->context() != &context)
        return CL_INVALID_CONTEXT;
    }
    count_ = count;
    return CL_SUCCESS;
  }
  // Whether one of them has failed already, which some commands are refused for.
  bool has_failed() const {
    return std::ranges::any_of(events(), [](const Event* event) { return event->failed(); });
  }
  std::span<Event* const> events() const { return {many_ ? many_.get() : few_.data(), count_}; }

 private:
  std::array<Event*, 8> few_{};
  std::unique_ptr<Event*[]> many_;
  std::size_t count_ = 0;
};

// True if [offset, offset + size) lies within `total` bytes; never overflows.
constexpr bool in_range(std::size_t offset, std::size_t size, std::size_t total) {
  return offset <= total && size <= total - offset;
}

} // namespace heddle::icd
