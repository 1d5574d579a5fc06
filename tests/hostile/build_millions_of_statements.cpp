// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of two million statements that the compiler cannot drop: built within the limits, or
// rejected.
#include "tests/hostile/hostile.h"

#include <ctime>

using namespace heddle::hostile;

static void body() {
  Session session;
  std::string source = "kernel void k(global int* out) { int x = *out;\n";
  for (int i = 0; i != 2000000; ++i)
    source += "x=x*3^" + std::to_string(i % 97) + ";";
  source += "*out = x; }";
  const auto start = std::clock(); // processor time: the machine may be busy
  const auto program = make_program(session.context, source);
  const auto status = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  const auto seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  expect(status == CL_SUCCESS || status == CL_BUILD_PROGRAM_FAILURE,
         "build gave " + std::to_string(status));
  expect(seconds < 100, "took " + std::to_string(seconds) + " s");
  if (status != CL_SUCCESS)
    expect(!build_log(program).empty(), "no log");
  expect_works(session, "after millions of statements");
}

int main() { return run_program(body); }
