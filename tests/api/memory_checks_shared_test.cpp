// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory and memory that kernels know by its address: SVM, USM, the host's own.
#include "tests/api/checked_kernels.h"
#include "tests/api/shared_memory.h"

#include <cstdlib>

namespace heddle::test {
namespace {

// Before the driver reads it.
[[maybe_unused]] const int checks_are_set = setenv("HEDDLE_CHECK", "memory", 1);

class MemoryChecksShared : public CheckedKernels {
 protected:
  // What the context's callback was told of a copy of `count` ints behind `from`; empty if it ended
  // well.
  std::string outcome(const char* kernel_name, const void* from, cl_int first, cl_int count) {
    const auto kernel = make_kernel(program_, kernel_name);
    check(clSetKernelArgSVMPointer(kernel, 0, from), "argument 0");
    check(set_arg(kernel, 1, first), "argument 1");
    check(set_arg(kernel, 2, count), "argument 2");
    return CheckedKernels::outcome(kernel, {{16}, {16}, {}});
  }

  Usm usm_;
  Program program_ = build(context_, R"(
    kernel void direct(global int* from, int first, int count) {
      local int tile[1024];
      event_t e = async_work_group_copy(tile, from + first, count, 0);
      wait_group_events(1, &e);
      from[0] = tile[0];
    }
    kernel void indirect(global ulong* place, int first, int count) {
      local int tile[1024];
      event_t e = async_work_group_copy(tile, (global int*)*place + first, count, 0);
      wait_group_events(1, &e);
      place[1] = tile[0];
    })");
};

TEST_F(MemoryChecksShared, Arguments) {
  cl_int status = CL_SUCCESS;
  auto* usm = static_cast<cl_int*>(usm_.device_alloc(context_, device(), nullptr, 256, 0, &status));
  SvmArray<cl_int> svm(context_, 64);
  EXPECT_EQ(outcome("direct", usm, 0, 64), "");
  EXPECT_EQ(outcome("direct", usm + 32, -32, 64), "") << "an address in the middle";
  expect_in(outcome("direct", usm, 60, 5), "reads bytes 240 to 259 of the device USM allocation of "
                                           "256 bytes");
  expect_in(outcome("direct", usm + 32, -33, 2),
            "reads bytes -4 to 3 of the device USM allocation");
  EXPECT_EQ(outcome("direct", svm.data(), 63, 1), "");
  const auto text = outcome("direct", svm.data() + 1, 63, 1);
  expect_in(text, "reads bytes 256 to 259 of the SVM allocation of 256 bytes");
  expect_in(text, "argument 0 'from'");
  std::vector<cl_int> system(64);
  EXPECT_EQ(outcome("direct", system.data(), 0, 64), "") << "nothing is known of the host's own";
  EXPECT_EQ(usm_.free(context_, usm), CL_SUCCESS);
}

TEST_F(MemoryChecksShared, AddressesInMemory) {
  cl_int status = CL_SUCCESS;
  auto* usm = static_cast<cl_int*>(usm_.host_alloc(context_, nullptr, 256, 0, &status));
  std::vector<cl_int> system(64);
  SvmArray<cl_int*> place(context_, 2);
  place[0] = usm;
  EXPECT_EQ(outcome("indirect", place.data(), 0, 64), "");
  expect_in(outcome("indirect", place.data(), 1, 64),
            "reads bytes 4 to 259 of the host USM allocation of 256 bytes");
  place[0] = system.data();
  EXPECT_EQ(outcome("indirect", place.data(), 0, 64), "");
  EXPECT_EQ(usm_.free(context_, usm), CL_SUCCESS);
}

} // namespace
} // namespace heddle::test
