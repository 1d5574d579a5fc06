// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiler library whose behavior the source text selects, for tests of compiler_host, and whose
// builds of units end when the test says so, for tests of unit_scheduler.
#include "compiler/interface/compiler_api.h"

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace {

volatile int sink = 0;

std::mutex mutex;
std::condition_variable released;
std::set<std::string> held; // kernels

// Fails, and tells the niceness of the thread that builds.
void build_unit(const heddle_request& request, heddle_result& result) {
  const char* kernel = request.kernel;
  static const auto logs = [] {
    std::set<std::string> logs;
    for (int niceness = 0; niceness < 20; ++niceness)
      logs.insert("niceness " + std::to_string(niceness) + "\n");
    return logs;
  }();
  if (std::strcmp(kernel, "endless") == 0)
    while (__atomic_load_n(request.cancelled, __ATOMIC_RELAXED) == 0) {
    }
  std::unique_lock lock(mutex);
  released.wait(lock, [&] { return held.find(kernel) == held.end(); });
  const auto niceness = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
  result.log = logs.find("niceness " + std::to_string(niceness) + "\n")->c_str();
  result.status = HEDDLE_BUILD_FAILURE;
}

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
  if (request->goal == HEDDLE_GOAL_UNIT) {
    build_unit(*request, *result);
    return result;
  }
  result->log = text == "error" ? "error: told to\n" : "";
  result->status = text == "error" ? HEDDLE_BUILD_FAILURE : HEDDLE_OK;
  result->output = {"code", 4};
  return result;
}

void free_result(heddle_result* result) { delete result; }

} // namespace

extern "C" __attribute__((visibility("default"))) void hold_builds(const char* kernel) {
  const std::lock_guard lock(mutex);
  held.insert(kernel);
}
extern "C" __attribute__((visibility("default"))) void release_builds(const char* kernel) {
  const std::lock_guard lock(mutex);
  held.erase(kernel);
  released.notify_all();
}

extern "C" __attribute__((visibility("default"))) const heddle_compiler_api*
heddle_compiler_get_api(void) {
  static const heddle_compiler_api api = {HEDDLE_COMPILER_API_VERSION, "0", run, free_result};
  return &api;
}
