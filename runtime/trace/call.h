// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of the API in a trace.
#pragma once

namespace heddle::trace {

// In static storage; the last value of a record of a call is its address.
struct Call {
  const char* name;
  const char* kinds; // of the arguments: p pointers and handles, i and u integers
};

} // namespace heddle::trace
