// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Null handles in every argument, those that the loader reads and those that only the driver reads.
#include "tests/api/handle_calls.h"
#include "tests/hostile/hostile.h"

using namespace heddle::hostile;

static void body() {
  Session session;
  World world;
  for (const auto& families : {dispatched_calls(world), inner_calls(world)})
    for (const auto& family : families)
      for (const auto& call : family.calls)
        expect_status(call.call(nullptr), call.expected, call.name + " with null");
  expect_works(session, "after null handles");
}

int main() { return run_program(body); }
