#include "compiler/support/build.h"

namespace heddle::compiler {

Build::Build(const heddle_request& request)
    : request(request), options(Options::parse({request.options, request.option_count})),
      limits(request.max_seconds, request.max_memory_bytes) {}

bool Build::error(const llvm::Twine& message) {
  log += ("error: " + message + "\n").str();
  failed = true;
  return false;
}

bool Build::within_limits() {
  if (const char* exceeded = limits.exceeded()) {
    if (!failed)
      error(exceeded);
    return false;
  }
  return true;
}

} // namespace heddle::compiler
