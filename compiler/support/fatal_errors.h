// Errors that LLVM reports by ending the program, turned into the end of one request.
#pragma once

#include "compiler/interface/compiler_api.h"

namespace heddle::compiler {

// While it lives, fatal errors on this thread go to the request's `fatal`, which does not return.
class FatalErrorScope {
 public:
  explicit FatalErrorScope(const heddle_request& request);
  ~FatalErrorScope();
  FatalErrorScope(const FatalErrorScope&) = delete;
  FatalErrorScope& operator=(const FatalErrorScope&) = delete;

 private:
  const heddle_request* previous_;
};

// Leaves the current request through its `fatal`. `message` must outlive the request.
[[noreturn]] void raise_fatal(const char* message);

} // namespace heddle::compiler
