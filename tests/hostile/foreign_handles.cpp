// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to readable memory with the driver's dispatch pointer, and arbitrary bits where the
// loader does not read.
#include "tests/api/handle_calls.h"
#include "tests/hostile/hostile.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace heddle::hostile;

static void body() {
  Session session;
  World world;
  ForeignObject foreign;
  // The same at the end of a mapped page: only one pointer may be read.
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  auto* pages = static_cast<char*>(
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + page, page, PROT_NONE);
  void* edge = pages + page - sizeof(void*);
  std::memcpy(edge, foreign.handle(), sizeof(void*));
  for (void* handle : {foreign.handle(), edge})
    for (const auto& families : {dispatched_calls(world), inner_calls(world)})
      for (const auto& family : families)
        for (const auto& call : family.calls)
          expect_status(call.call(handle), call.expected, call.name + " with a foreign handle");
  for (const auto bits :
       {std::uintptr_t{1}, std::uintptr_t{0x1000}, ~std::uintptr_t{0}, std::uintptr_t{1} << 62})
    for (const auto& family : inner_calls(world))
      for (const auto& call : family.calls)
        expect_status(call.call(reinterpret_cast<void*>(bits)), call.expected,
                      call.name + " with wild bits");
  expect_works(session, "after foreign handles");
}

int main() { return run_program(body); }
