// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/build.h"

#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::compiler {

Build::Build(const heddle_request& request)
    : request(request), options(Options::parse({request.options, request.option_count})),
      limits(request.max_seconds, request.max_memory_bytes, request.cancelled),
      timer(request.time_passes), kept(request) {
  options.optimize &= !request.specialization.is_plain();
}

bool Build::error(const llvm::Twine& message) {
  log += ("error: " + message + "\n").str();
  failed = true;
  return false;
}

void Build::take_errors(const llvm::DiagnosticInfo& info) {
  if (info.getSeverity() != llvm::DS_Error)
    return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  error(text);
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
