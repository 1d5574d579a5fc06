// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles used after their release, also after many new objects were created.
#include "tests/api/handle_calls.h"
#include "tests/hostile/hostile.h"

#include <memory>

using namespace heddle::hostile;

static void body() {
  Session session;
  World world;
  auto gone = std::make_unique<World>();
  std::vector<void*> handles;
  for (const auto& family : dispatched_calls(*gone))
    if (family.kind != "device")
      handles.push_back(family.live);
  gone.reset();
  for (int round = 0; round != 2; ++round) {
    for (void* handle : handles)
      for (const auto& families : {dispatched_calls(world), inner_calls(world)})
        for (const auto& family : families)
          for (const auto& call : family.calls)
            expect_status(call.call(handle), call.expected, call.name + " with a released handle");
    std::vector<Buffer> others;
    for (int i = 0; i != 500; ++i)
      others.push_back(make_buffer(session.context, 16));
  }
  expect_works(session, "after released handles");
}

int main() { return run_program(body); }
