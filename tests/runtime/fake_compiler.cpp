// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiler library whose behavior the source text selects, for tests of compiler_host.
#include "compiler/interface/compiler_api.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

namespace {

volatile int sink = 0;

// Not a tail call: each level uses stack.
int overflow(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return overflow(depth + 1) + frame[0];
}

// Several threads crash at the same address concurrently, which ThreadSanitizer would report as a
// race.
__attribute__((no_sanitize("thread"))) heddle_result* run(const heddle_request* request) {
  const std::string text(static_cast<const char*>(request->source.data), request->source.size);
  if (text == "crash")
    *reinterpret_cast<volatile int*>(sink) = 1; // address 0
  if (text == "abort")
    std::abort();
  if (text == "fatal")
    request->fatal(request->fatal_context, "no such instruction");
  if (text == "overflow")
    sink = overflow(0);
  if (text == "endless")
    while (sink == 0) {
    }
  if (text == "slow") // as on a machine with other work: no processor time to speak of
    sleep(4);
  if (text == "asleep")
    for (;;)
      pause();
  auto* result = new heddle_result{};
  result->log = text == "error" ? "error: told to\n" : "";
  result->status = text == "error" ? HEDDLE_BUILD_FAILURE : HEDDLE_OK;
  result->output = {"code", 4};
  return result;
}

void free_result(heddle_result* result) { delete result; }

} // namespace

extern "C" __attribute__((visibility("default"))) const heddle_compiler_api*
heddle_compiler_get_api(void) {
  static const heddle_compiler_api api = {HEDDLE_COMPILER_API_VERSION, "0", run, free_result};
  return &api;
}
