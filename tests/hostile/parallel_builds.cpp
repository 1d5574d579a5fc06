// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Concurrent builds in 16 threads, valid and invalid ones mixed, in one context and in many.
#include "tests/hostile/hostile.h"

#include <thread>
#include <unistd.h>

using namespace heddle::hostile;

static std::mutex report;

static void worker(Session& shared, int thread) {
  for (int n = 0; n != 4; ++n) {
    const auto own = make_context();
    const cl_context context = n % 2 ? own.get() : shared.context.get();
    const int value = thread * 1000 + n + static_cast<int>(getpid()) * 100000 % 1000000000;
    const bool broken = (thread + n) % 3 == 0;
    auto program =
        make_program(context, "kernel void k(global int* x) { x[0] = " + std::to_string(value) +
                                  "; " + (broken ? "missing_name" : "") + "; }");
    const auto status = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    bool right = status == (broken ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS);
    if (!broken && right) {
      const auto kernel = make_kernel(program, "k");
      const auto queue = make_queue(context);
      const auto out = make_buffer(context, 4);
      set_args(kernel, out);
      run(queue, kernel, {{1}, {}, {}});
      right = read<cl_int>(queue, out, 1)[0] == value;
    } else if (right) {
      right = build_log(program).find("missing_name") != std::string::npos;
    }
    const std::lock_guard lock(report);
    expect(right, "build " + std::to_string(n) + " of thread " + std::to_string(thread));
  }
}

static void body() {
  Session session;
  std::vector<std::thread> threads;
  for (int t = 0; t != 16; ++t)
    threads.emplace_back([&, t] {
      try {
        worker(session, t);
      } catch (const std::exception& error) {
        const std::lock_guard lock(report);
        expect(false, error.what());
      }
    });
  for (auto& thread : threads)
    thread.join();
  expect_works(session, "after parallel builds");
}

int main() { return run_program(body); }
