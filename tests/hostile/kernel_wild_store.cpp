// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that store to unmapped addresses, with and without barriers, in one work-item of many.
#include "tests/hostile/hostile.h"

#include <cstdio>

using namespace heddle::hostile;

// "work-item (37)", or "work-items (32) to (47)" of its sub-group.
static bool names_work_item(const std::string& text, unsigned item) {
  unsigned first = 0;
  unsigned last = 0;
  if (const auto at = text.find("work-item ("); at != std::string::npos)
    return std::sscanf(text.c_str() + at, "work-item (%u)", &first) == 1 && first == item;
  const auto at = text.find("work-items (");
  return at != std::string::npos &&
         std::sscanf(text.c_str() + at, "work-items (%u) to (%u)", &first, &last) == 2 &&
         first <= item && item <= last && last - first < 64;
}

static void body() {
  Session session;
  const auto program = build(session.context, R"(
    kernel void wild_store(global int* out, ulong address) {
      out[get_global_id(0)] = 1;
      if (get_global_id(0) == 37) *(global int*)address = 1;
    }
    kernel void wild_store_with_barrier(global int* out, ulong address) {
      local int tile[16];
      tile[get_local_id(0)] = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = tile[15 - get_local_id(0)];
      if (get_global_id(0) == 37) *(global int*)address = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] += 1;
    })");
  const auto out = make_buffer(session.context, 4096);
  for (const char* name : {"wild_store", "wild_store_with_barrier"}) {
    const auto kernel = make_kernel(program, name);
    set_args(kernel, out, cl_ulong{0x123456789000});
    const auto text = expect_fault(session, kernel, name, {{64}, {16}, {}});
    expect(text.find("123456789000") != std::string::npos, "the address is not named: " + text);
    expect(names_work_item(text, 37), "work-item (37) is not named: " + text);
    // A non-canonical address: the processor does not report it, but the fault is handled like any
    // other.
    set_args(kernel, out, cl_ulong{0xdead00000000beef});
    expect_fault(session, kernel, name, {{64}, {16}, {}});
  }
  // Many times, from many groups concurrently: the driver leaks no threads and no memory.
  const auto kernel = make_kernel(program, "wild_store_with_barrier");
  set_args(kernel, out, cl_ulong{16});
  for (int i = 0; i != 50; ++i) {
    Event event;
    expect_status(enqueue(session.queue, kernel, {{1024}, {16}, {}}, event.out()), CL_SUCCESS,
                  "enqueue");
    clWaitForEvents(1, event.address());
    expect(event_status(event) < 0, "event of a fault");
  }
  expect_works(session, "after 50 faults");
}

int main() { return run_program(body); }
