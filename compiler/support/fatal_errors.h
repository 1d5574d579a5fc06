// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts LLVM's fatal errors, which end the program by default, to the failure of a request.
#pragma once

#include "compiler/interface/compiler_api.h"

namespace heddle::compiler {

// While it exists, fatal errors on this thread call the request's `fatal`, which does not return.
class FatalErrorScope {
 public:
  explicit FatalErrorScope(const heddle_request& request);
  ~FatalErrorScope();
  FatalErrorScope(const FatalErrorScope&) = delete;
  FatalErrorScope& operator=(const FatalErrorScope&) = delete;

 private:
  const heddle_request* previous_;
};

// Abandons the current request through its `fatal`. `message` must outlive the request.
[[noreturn]] void raise_fatal(const char* message);

} // namespace heddle::compiler
