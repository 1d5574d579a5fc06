// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wild pointers in shared memory, and copies that lead nowhere: the command fails, and the message
// names the address and the nearest allocation.
#include "tests/api/shared_memory.h"
#include "tests/hostile/hostile.h"

#include <cinttypes>
#include <sys/mman.h>

using namespace heddle::hostile;

static void expect_text(const std::string& text, const std::string& part) {
  expect(text.find(part) != std::string::npos, "not \"" + part + "\" in: " + text);
}

static std::string hex(const void* pointer) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", pointer);
  return text;
}

static void body() {
  Session session;
  const Usm usm;
  cl_int status = CL_SUCCESS;
  const size_t size = 8 << 20;
  auto* shared =
      static_cast<char*>(usm.shared_alloc(session.context, device(), nullptr, size, 0, &status));
  check(status, "clSharedMemAllocINTEL");
  // Addresses around it that are not there.
  auto* hole = static_cast<char*>(
      mmap(nullptr, 3 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));

  const auto program = build(session.context, R"(
    kernel void follow(global ulong* list) {
      int sum = 0;
      for (int i = 0; i < 4; ++i)
        sum += *(global int*)list[i];
      list[8 + get_global_id(0)] = sum;
    })");
  const auto kernel = make_kernel(program, "follow");
  auto* list = reinterpret_cast<cl_ulong*>(shared);
  for (int i = 0; i != 4; ++i)
    list[i] = reinterpret_cast<cl_ulong>(shared + 4096);
  check(usm.set_arg(kernel, 0, list), "argument 0");
  run(session.queue, kernel, {{16}, {}, {}});
  list[2] = reinterpret_cast<cl_ulong>(hole + size);
  const auto text = expect_fault(session, kernel, "follow", {{16}, {}, {}});
  expect_text(text, hex(hole + size));
  expect_text(text, "the shared USM allocation of 8388608 bytes at " + hex(shared));
  // A null pointer among them, and a whole list of nonsense.
  list[2] = 0;
  expect_fault(session, kernel, "follow", {{16}, {}, {}});
  for (int i = 0; i != 4; ++i)
    list[i] = 0xdead00000000beef + cl_ulong(i);
  expect_fault(session, kernel, "follow", {{16}, {}, {}});

  // Memory that was freed: nothing of it is left once no command runs.
  auto* svm = clSVMAlloc(session.context, 0, size, 0);
  clSVMFree(session.context, svm);
  check(clSetKernelArgSVMPointer(kernel, 0, svm), "argument 0");
  expect_text(expect_fault(session, kernel, "follow", {{16}, {}, {}}), hex(svm));

  // Copies and fills, small and large ones, which several threads share.
  const char pattern[16] = {};
  for (const size_t bytes : {size_t{16}, size}) {
    const auto before = session.messages().size();
    Event events[6];
    check(usm.copy(session.queue, CL_FALSE, hole, shared, bytes, 0, nullptr, events[0].out()),
          "to nowhere");
    check(usm.copy(session.queue, CL_FALSE, shared, hole, bytes, 0, nullptr, events[1].out()),
          "from nowhere");
    check(usm.fill(session.queue, hole, pattern, 16, bytes, 0, nullptr, events[2].out()), "fill");
    check(clEnqueueSVMMemcpy(session.queue, CL_FALSE, hole + size, shared, bytes, 0, nullptr,
                             events[3].out()),
          "SVM copy");
    check(clEnqueueSVMMemFill(session.queue, hole, pattern, 16, bytes, 0, nullptr, events[4].out()),
          "SVM fill");
    const cl_event first = events[0];
    check(usm.copy(session.queue, CL_FALSE, shared, shared + 4096, 16, 1, &first, events[5].out()),
          "behind a failed one");
    (void)clFinish(session.queue);
    for (int i = 0; i != 5; ++i)
      expect_status(event_status(events[i]), CL_OUT_OF_RESOURCES, "command " + std::to_string(i));
    expect_status(event_status(events[5]), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                  "a command that waits for one that failed");
    const auto messages = session.messages().substr(before);
    expect_text(messages, "clEnqueueMemcpyINTEL failed: SIGSEGV");
    expect_text(messages, "clEnqueueSVMMemFill failed: SIGSEGV");
    expect_text(messages, "the shared USM allocation of 8388608 bytes");
    expect(usm.copy(session.queue, CL_TRUE, hole, shared, bytes, 0, nullptr, nullptr) < 0,
           "a blocking copy to nowhere");
    expect_works(session, "after copies that failed");
  }
  expect_status(usm.free(session.context, shared), CL_SUCCESS, "clMemFreeINTEL");
}

int main() { return run_program(body); }
