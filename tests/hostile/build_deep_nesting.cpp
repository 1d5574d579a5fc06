// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 20,000 nested parentheses, blocks, conditionals and types: either built or rejected, and the
// process survives.
#include "tests/hostile/hostile.h"

using namespace heddle::hostile;

static void try_build(Session& session, const std::string& source, const char* what) {
  const auto program = make_program(session.context, source);
  const auto status = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  expect(status == CL_SUCCESS || status == CL_BUILD_PROGRAM_FAILURE,
         std::string(what) + " gave " + std::to_string(status));
  if (status != CL_SUCCESS)
    expect(!build_log(program).empty(), std::string("no log for ") + what);
  expect_works(session, std::string("after ") + what);
}

static std::string repeat(const char* text, int count) {
  std::string all;
  for (int i = 0; i != count; ++i)
    all += text;
  return all;
}

static void body() {
  Session session;
  const int n = 20000;
  const std::string head = "kernel void k(global int* out) { int x = *out; ";
  try_build(session, head + "*out = " + repeat("(", n) + "x" + repeat(")", n) + "; }",
            "nested parentheses");
  try_build(session, head + "*out = " + repeat("-(", n) + "x" + repeat(")", n) + "; }",
            "nested negations");
  try_build(session, head + repeat("{", n) + "*out = 1;" + repeat("}", n) + " }", "nested blocks");
  try_build(session, head + repeat("if (x) ", n) + "*out = 1; }", "nested conditionals");
  try_build(session, head + "*out = x" + repeat(" + x", n * 5) + "; }", "a long sum");
  try_build(session, head + "*out = " + repeat("x ? x : ", n) + "x; }", "nested choices");
}

int main() { return run_program(body); }
