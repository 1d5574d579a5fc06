// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=divergence: calls that not all work-items of a group make, in the same place and
// with equal arguments, fail the command; near twins that are right pass.
#include "tests/api/order_checks.h"

#include <cstdlib>

namespace heddle::test {
namespace {

// Set before the driver reads it.
[[maybe_unused]] const int kChecksAreSet = setenv("HEDDLE_CHECK", "divergence", 1);

using DivergenceChecks = OrderChecks;

TEST_F(DivergenceChecks, BarrierInABranch) {
  expect({"if (l != 2) barrier(CLK_LOCAL_MEM_FENCE); // A\n"
          "out[i] = l;",
          "barrier at ", "l != 2", "g != 2"});
  expect({"if (l == 2) barrier(CLK_LOCAL_MEM_FENCE); // A\n"
          "out[i] = l;",
          "without reaching it", "l == 2", "g == 1"});
}

TEST_F(DivergenceChecks, DifferentBarriers) {
  expect({"if (l == 0) {\n"
          "data[0] = 42;\n"
          "barrier(CLK_GLOBAL_MEM_FENCE); // A\n"
          "} else {\n"
          "barrier(CLK_GLOBAL_MEM_FENCE); // B\n"
          "}\n"
          "out[i] = data[0];",
          "while work-item (0) of its group is at barrier at ",
          "l == 0",
          "g == 0",
          {{16}, {16}, {}}});
}

TEST_F(DivergenceChecks, EarlyReturn) {
  expect({"if (i >= 30) return;\n"
          "tile[l] = i;\n"
          "barrier(CLK_LOCAL_MEM_FENCE); // A\n"
          "out[i] = tile[l ^ 1];",
          "barrier at ", "i >= 30", "i >= 16"});
}

TEST_F(DivergenceChecks, LoopsOfDifferentLengths) {
  expect({"for (int n = 0; n < 3 + (l == 5); ++n)\n"
          "step(tile, l);\n"
          "out[i] = tile[l];",
          "barrier at ",
          "l == 5",
          "g == 1",
          {{32}, {16}, {}},
          "void step(local int* tile, int l) {\n"
          "  tile[l] = l;\n"
          "  work_group_barrier(CLK_LOCAL_MEM_FENCE); // A\n"
          "}"});
}

TEST_F(DivergenceChecks, WorkGroupFunctions) {
  expect({"int sum = 0;\n"
          "if (l < 9) sum = work_group_reduce_add(i); // A\n"
          "out[i] = sum;",
          "work_group_reduce_add at ", "l < 9", "g < 9"});
  expect({"out[i] = work_group_broadcast(i, l / 15); // A", "work_group_broadcast at ", "l / 15",
          "g + 3"});
  expect({"out[i] = l % 2 ? work_group_all(i) // A\n"
          ": work_group_any(i); // B",
          "is reached by work-item (1) while work-item (0) of its group is at work_group_any at ",
          "l % 2", "g % 2"});
}

TEST_F(DivergenceChecks, AsyncCopies) {
  expect({"event_t e = async_work_group_copy(tile, data + g * 16, l == 15 ? 1 : 16, 0); // A\n"
          "wait_group_events(1, &e);\n"
          "out[i] = tile[l];",
          "async_work_group_copy at ", "l == 15", "g == 15"});
  expect({"event_t e = async_work_group_copy(tile, data, 16, 0);\n"
          "if (l == 0) e = async_work_group_copy(tile + 16, data, 1, e); // A\n"
          "wait_group_events(1, &e); // B\n"
          "out[i] = tile[l];",
          "async_work_group_copy at ", "l == 0", "g == 0"});
  expect({"event_t e = async_work_group_copy(tile, data, 16, 0); // A\n"
          "",
          "without waiting for the async copy at ", "// A", "// A\nwait_group_events(1, &e);"});
}

// Smaller groups at the edges of a range, and several dimensions.
TEST_F(DivergenceChecks, GroupsOfOtherSizes) {
  expect({"if (get_global_linear_id() != 37) barrier(CLK_LOCAL_MEM_FENCE); // A\n"
          "out[i] = l;",
          "work-item (7, 3)",
          "!= 37",
          "!= 3700",
          {{10, 7}, {4, 4}, {}}});
}

} // namespace
} // namespace heddle::test
