// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A live object of each kind in place of each other kind.
#include "tests/api/handle_calls.h"
#include "tests/hostile/hostile.h"

using namespace heddle::hostile;

static void body() {
  Session session;
  World world;
  for (const auto& other : dispatched_calls(world))
    for (const auto& families : {dispatched_calls(world), inner_calls(world)})
      for (const auto& family : families)
        if (family.kind != other.kind)
          for (const auto& call : family.calls)
            expect_status(call.call(other.live), call.expected,
                          call.name + " with a " + other.kind);
  expect_works(session, "after handles of the wrong kind");
}

int main() { return run_program(body); }
