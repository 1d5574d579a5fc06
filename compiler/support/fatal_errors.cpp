// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/fatal_errors.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstdlib>
#include <mutex>

namespace heddle::compiler {
namespace {

thread_local const heddle_request* current_request = nullptr;

void handle(void*, const char* message, bool) { raise_fatal(message); }

void install_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(handle);
    llvm::install_bad_alloc_error_handler(handle);
  });
}

} // namespace

FatalErrorScope::FatalErrorScope(const heddle_request& request) : previous_(current_request) {
  install_handlers();
  current_request = &request;
}

FatalErrorScope::~FatalErrorScope() { current_request = previous_; }

void raise_fatal(const char* message) {
  const auto* request = current_request;
  if (request != nullptr && request->fatal != nullptr) {
    current_request = nullptr;
    request->fatal(request->fatal_context, message);
  }
  std::abort();
}

} // namespace heddle::compiler
