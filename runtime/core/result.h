// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of runtime functions, which do not throw: a value or an OpenCL error code.
#pragma once

#include <CL/cl.h>

#include <utility>
#include <variant>

namespace heddle {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(cl_int error) : state_(std::in_place_index<1>, error) {}

  explicit operator bool() const { return state_.index() == 0; }
  // CL_SUCCESS when there is a value.
  cl_int error() const { return state_.index() == 0 ? CL_SUCCESS : std::get<1>(state_); }
  T& operator*() { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }

 private:
  std::variant<T, cl_int> state_;
};

} // namespace heddle
