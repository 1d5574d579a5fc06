// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host program for check_reports: builds FILE and runs each KERNEL(global int* data, int n) in
// the order given, for 32 work-items in groups of 16.
//
//   run_checked FILE KERNEL...
//
// `data` has 32 ints, and n is 32. Prints "KERNEL STATUS TOLD" for each: that of its event, and how
// often the context's callback was called.
#include "tests/api/support.h"

#include <atomic>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>

using namespace heddle::test;

static std::atomic<int> told{0};

static void CL_CALLBACK notify(const char*, const void*, size_t, void*) { ++told; }

static void run_kernels(int count, char** arguments) {
  std::ifstream file(arguments[1]);
  const std::string source((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
  const auto context = make_context(notify, nullptr);
  const auto queue = make_queue(context);
  const auto program = build(context, source, "-cl-std=CL3.0");
  const auto data = make_buffer(context, 32 * sizeof(cl_int));
  for (int i = 2; i < count; ++i) {
    const auto kernel = make_kernel(program, arguments[i]);
    set_args(kernel, data, cl_int{32});
    told = 0;
    Event event;
    check(enqueue(queue, kernel, {{32}, {16}, {}}, event.out()), "enqueue");
    clWaitForEvents(1, event.address());
    clFinish(queue);
    std::printf("%s %d %d\n", arguments[i], event_status(event), told.load());
  }
}

int main(int count, char** arguments) try {
  if (count < 3) {
    std::fputs("usage: run_checked FILE KERNEL...\n", stderr);
    return 2;
  }
  run_kernels(count, arguments);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "run_checked: %s\n", error.what());
  return 1;
}
