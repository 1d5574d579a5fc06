// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source with endless or huge macro expansion: a build failure within bounded time and memory.
#include "tests/hostile/hostile.h"

#include <ctime>
#include <sys/resource.h>

using namespace heddle::hostile;

static void refuse(Session& session, const std::string& source, const char* what) {
  const auto start = std::clock(); // processor time: the machine may be busy
  const auto program = make_program(session.context, source);
  const auto status = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  const auto seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  expect_status(status, CL_BUILD_PROGRAM_FAILURE, what);
  expect(!build_log(program).empty(), std::string("no log for ") + what);
  expect(seconds < 100, std::string(what) + " took " + std::to_string(seconds) + " s");
  expect_works(session, std::string("after ") + what);
}

static void body() {
  Session session;
  // 2^40 additions.
  std::string doubling = "#define A0 x += 1;\n";
  for (int i = 1; i <= 40; ++i)
    doubling += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" +
                std::to_string(i - 1) + "\n";
  refuse(session, doubling + "kernel void k(global int* out) { int x = 0; A40 *out = x; }",
         "2^40 statements");
  // A recursive macro is not expanded again: an undeclared name, immediately.
  refuse(session, "#define F(x) F(x) + F(x)\nkernel void k(global int* out) { *out = F(F(F(1))); }",
         "a recursive macro");
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  expect(usage.ru_maxrss < 8l << 20,
         "at most 8 GiB resident, was " + std::to_string(usage.ru_maxrss >> 10) + " MiB");
}

int main() { return run_program(body); }
