// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every entry point that takes a handle, called with a given handle and otherwise valid arguments,
// and the specification's error code for an invalid handle.
#pragma once

#include "tests/api/support.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heddle::test {

// The error code of a creating call, a callable handle(cl_int*); a created object is released.
template <class Create>
cl_int created(Create create) {
  cl_int status = CL_SUCCESS;
  auto handle = create(&status);
  if (handle)
    release(handle);
  return status;
}

// One live object of each kind.
struct World {
  World();
  Context context;
  Queue queue;
  Buffer buffer;
  Program unbuilt;
  Program program; // kernel void k(global int* out)
  Kernel kernel;
  Event user_event;
  Event done; // a finished command
};

struct HandleCall {
  std::string name;
  cl_int expected;
  std::function<cl_int(void*)> call;
};

// Calls in which the handle is the object that the loader dispatches on: it reads the first pointer
// at the handle.
struct DispatchedCalls {
  std::string kind;
  std::vector<HandleCall> calls;
  void* live; // a valid handle of this kind
};
std::vector<DispatchedCalls> dispatched_calls(const World& world);

// The same for calls of optional features, which a driver without the feature also rejects.
std::vector<DispatchedCalls> optional_calls(const World& world);

// Calls in which the handle is an argument that the loader passes on unread, so it may be any bit
// pattern.
std::vector<DispatchedCalls> inner_calls(const World& world);

// Readable memory that looks to the loader like an object of the driver under test.
class ForeignObject {
 public:
  ForeignObject();
  void* handle() { return words_.data(); }

 private:
  std::vector<void*> words_;
};

} // namespace heddle::test
