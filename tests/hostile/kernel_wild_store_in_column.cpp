// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A store to an unmapped address in groups that are one work-item wide, whose lanes run along the
// second dimension (HEDDLE_VARIANTS=each): the work-item is named as the program knows it.
#include "tests/hostile/hostile.h"

#include <cstdio>

using namespace heddle::hostile;

static void body() {
  Session session;
  const auto program = build(session.context, R"(
    kernel void wild_store(global int* out, ulong address) {
      out[get_global_id(0) * 64 + get_global_id(1)] = 1;
      if (get_global_id(0) == 3 && get_global_id(1) == 21) *(global int*)address = 1;
    })");
  const auto out = make_buffer(session.context, 4096);
  const auto kernel = make_kernel(program, "wild_store");
  set_args(kernel, out, cl_ulong{0x123456789000});
  const auto text = expect_fault(session, kernel, "wild_store", {{16, 64}, {1, 8}, {}});
  unsigned first[2] = {0, 0}, last[2] = {0, 0};
  const auto at = text.find("work-items (");
  expect(at != std::string::npos &&
             std::sscanf(text.c_str() + at, "work-items (%u, %u) to (%u, %u)", &first[0], &first[1],
                         &last[0], &last[1]) == 4 &&
             first[0] == 3 && last[0] == 3 && first[1] <= 21 && 21 <= last[1] &&
             last[1] - first[1] < 64,
         "work-items with (3, 21), in a column, are not named: " + text);
}

int main() { return run_program(body); }
