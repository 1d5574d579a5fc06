// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the hostile programs: a context that records its callback, and a check that the driver
// still works. Each program exits with 0 if everything conforms to the specification.
#pragma once

#include "tests/api/support.h"

#include <cstdio>
#include <exception>
#include <mutex>
#include <string>

namespace heddle::hostile {

using namespace heddle::test;

inline int failures = 0;

inline void expect(bool right, const std::string& what) {
  if (right)
    return;
  ++failures;
  std::fprintf(stderr, "wrong: %s\n", what.c_str());
}
inline void expect_status(cl_int got, cl_int wanted, const std::string& what) {
  expect(got == wanted, what + " gave " + std::to_string(got) + ", not " + std::to_string(wanted));
}

// A context, an in-order queue, and the messages of the context's callback.
struct Session {
  Session() : context(make_context(notify, this)), queue(make_queue(context)) {}
  std::string messages() {
    const std::lock_guard lock(mutex);
    return text;
  }
  static void CL_CALLBACK notify(const char* message, const void*, size_t, void* self) {
    auto* session = static_cast<Session*>(self);
    const std::lock_guard lock(session->mutex);
    session->text += message;
    session->text += '\n';
  }
  std::mutex mutex;
  std::string text;
  Context context;
  Queue queue;
};

// Builds a kernel with local memory and a barrier and checks its results, on the given queue and on
// a new one.
inline void expect_works(Session& session, const std::string& when) {
  try {
    const auto program = build(session.context, R"(
      kernel void proof(global int* out) {
        local int tile[32];
        tile[get_local_id(0)] = (int)get_global_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = tile[31 - get_local_id(0)];
      })");
    const auto kernel = make_kernel(program, "proof");
    const auto fresh = make_queue(session.context);
    for (const cl_command_queue queue : {session.queue.get(), fresh.get()}) {
      const auto out = make_buffer(session.context, 256 * 4);
      set_args(kernel, out);
      run(queue, kernel, {{256}, {32}, {}});
      const auto values = read<cl_int>(queue, out, 256);
      for (int i = 0; i != 256; ++i)
        if (values[i] != i / 32 * 32 + 31 - i % 32) {
          expect(false, "later results " + when);
          return;
        }
    }
  } catch (const std::exception& error) {
    expect(false, "later commands " + when + ": " + error.what());
  }
}

// Runs a faulting kernel and checks that its event and its waiters fail, everything else continues,
// and the context's callback names the kernel. Returns the message.
inline std::string expect_fault(Session& session, cl_kernel kernel, const std::string& name,
                                const Range& range) {
  const auto before = session.messages().size();
  Event event;
  const auto enqueued = enqueue(session.queue, kernel, range, event.out());
  expect_status(enqueued, CL_SUCCESS, "enqueue of " + name);
  if (enqueued != CL_SUCCESS)
    return "";
  expect_status(clWaitForEvents(1, event.address()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                "clWaitForEvents of " + name);
  expect(event_status(event) < 0,
         "the event of " + name + " has status " + std::to_string(event_status(event)));
  auto text = session.messages().substr(before);
  expect(text.find(name) != std::string::npos,
         "the context's callback does not name " + name + ": \"" + text + "\"");
  expect_works(session, "after " + name);
  return text;
}

// main() of every hostile program.
inline int run_program(void (*body)()) {
  try {
    body();
  } catch (const std::exception& error) {
    expect(false, error.what());
  }
  if (failures)
    std::fprintf(stderr, "%d wrong\n", failures);
  return failures ? 1 : 0;
}

} // namespace heddle::hostile
