// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points that record each call in the trace; the dispatch table has them while HEDDLE_TRACE
// is set.
#pragma once

#include "runtime/trace/call.h"
#include "runtime/trace/trace.h"

#include <CL/cl.h>

#include <cstdint>
#include <type_traits>

namespace heddle::icd {

template <class T>
constexpr char kind_of_argument() {
  if constexpr (std::is_pointer_v<T>)
    return 'p';
  else
    return std::is_signed_v<T> ? 'i' : 'u';
}

template <class T>
std::uint64_t value_of_argument(T argument) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<std::uintptr_t>(argument);
  else
    return static_cast<std::uint64_t>(argument);
}

void record_call(const trace::Call& call, std::uint64_t begin, const std::uint64_t* values,
                 unsigned count, cl_int result);

template <auto Function>
struct Traced;
template <class Answer, class... Arguments, Answer(CL_API_CALL* Function)(Arguments...)>
struct Traced<Function> {
  static constexpr char kKinds[] = {kind_of_argument<Arguments>()..., '\0'};
  static inline trace::Call call{"", kKinds};

  static Answer CL_API_CALL enter(Arguments... arguments) {
    const auto begin = trace::call_time();
    const std::uint64_t values[] = {value_of_argument(arguments)..., 0};
    if constexpr (std::is_void_v<Answer>) {
      Function(arguments...);
      record_call(call, begin, values, sizeof...(Arguments), CL_SUCCESS);
    } else {
      const auto answer = Function(arguments...);
      cl_int result = CL_SUCCESS;
      if constexpr (std::is_same_v<Answer, cl_int>)
        result = answer;
      else
        (read_error(arguments, result), ...);
      record_call(call, begin, values, sizeof...(Arguments), result);
      return answer;
    }
  }

 private:
  template <class T>
  static void read_error(T argument, cl_int& result) {
    if constexpr (std::is_same_v<T, cl_int*>)
      if (argument)
        result = *argument;
  }
};

// The entry point itself if no calls are traced. The first call, when the library is loaded, gives
// the name.
template <auto Function>
decltype(Function) traced(const char* name) {
  if (!trace::records(trace::Kind::call))
    return Function;
  if (name)
    Traced<Function>::call.name = name;
  return &Traced<Function>::enter;
}

} // namespace heddle::icd
