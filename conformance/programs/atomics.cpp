// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic functions on global and local memory, from many concurrent groups, and their return
// values.
#include "harness.h"

#include <algorithm>

using namespace conformance;

namespace {

class Atomics : public DeviceTest {
 protected:
  // One 32-bit operation by 64 x 32 work-items on one location; `value` is an expression of the
  // global id g.
  template <class T>
  T final_value(const std::string& type, T initial, const std::string& operation) {
    Kernel kernel = make_kernel("kernel void k(global " + type +
                                    "* p) { int g = get_global_id(0); " + operation + "; }",
                                "k");
    Memory place = make_buffer(std::vector<T>{initial});
    set_arguments(kernel, place);
    run(kernel, {2048}, {32});
    return read<T>(place, 1)[0];
  }
};

TEST_F(Atomics, EveryOperationOnGlobalMemory) {
  SPEC("C, Atomic Functions: OpenCL C 1.x atomics on 32-bit integers in global memory");
  EXPECT_EQ(final_value<cl_int>("int", 5, "atomic_add(p, g)"), 5 + 2047 * 1024);
  EXPECT_EQ(final_value<cl_int>("int", 5, "atomic_sub(p, g)"), 5 - 2047 * 1024);
  EXPECT_EQ(final_value<cl_uint>("uint", 0, "atomic_inc(p)"), 2048u);
  EXPECT_EQ(final_value<cl_uint>("uint", 0, "atomic_dec(p)"), ~2047u);
  EXPECT_EQ(final_value<cl_int>("int", 3, "atomic_min(p, 10 - g)"), 10 - 2047);
  EXPECT_EQ(final_value<cl_int>("int", 3, "atomic_max(p, g - 10)"), 2047 - 10);
  EXPECT_EQ(final_value<cl_uint>("uint", 3, "atomic_max(p, 0u - (uint)g)"), ~0u)
      << "unsigned comparison";
  EXPECT_EQ(final_value<cl_uint>("uint", ~0u, "atomic_and(p, ~(1u << (g % 16)))"), 0xffff0000u);
  EXPECT_EQ(final_value<cl_uint>("uint", 0, "atomic_or(p, 1u << (g % 16))"), 0xffffu);
  EXPECT_EQ(final_value<cl_uint>("uint", 0, "atomic_xor(p, 1u << (g % 11))"), [] {
    cl_uint result = 0;
    for (int g = 0; g < 2048; ++g)
      result ^= 1u << (g % 11);
    return result;
  }());
  EXPECT_EQ(final_value<cl_float>("float", 1, "atomic_xchg(p, 2.5f)"), 2.5f);
}

TEST_F(Atomics, ReturnTheOldValueOnceEach) {
  SPEC("C, Atomic Functions: the old value is returned, and no two work-items get the same one");
  Kernel kernel = make_kernel(
      "kernel void k(global int* p, global int* out) { out[get_global_id(0)] = atomic_inc(p); }",
      "k");
  Memory place = make_buffer(std::vector<cl_int>(1, 0)), out = make_buffer(10000 * sizeof(cl_int));
  set_arguments(kernel, place, out);
  run(kernel, {10000});
  auto seen = read<cl_int>(out, 10000);
  std::sort(seen.begin(), seen.end());
  for (int i = 0; i < 10000; ++i)
    ASSERT_EQ(seen[i], i);
}

TEST_F(Atomics, CompareExchange) {
  SPEC("C, Atomic Functions: atomic_cmpxchg");
  // A sum that is correct only with a compare-exchange loop.
  const cl_int sum = final_value<cl_int>("int", 0,
                                         "int old = *p; for (;;) { int now = atomic_cmpxchg(p, "
                                         "old, old + g); if (now == old) break; old = now; }");
  EXPECT_EQ(sum, 2047 * 1024);
}

TEST_F(Atomics, LocalMemory) {
  SPEC("C, Atomic Functions: on local memory");
  Kernel kernel = make_kernel(R"(
    kernel void k(global int* histogram, local int* counts) {
      int i = get_local_id(0);
      if (i < 16) counts[i] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int j = 0; j < 10; ++j) atomic_add(&counts[(i * 7 + j) & 15], 1);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i < 16) atomic_add(&histogram[i], counts[i]);
    })",
                              "k");
  Memory histogram = make_buffer(std::vector<cl_int>(16, 0));
  set_arguments(kernel, histogram, Local{64});
  run(kernel, {64 * 50}, {64});
  EXPECT_EQ(read<cl_int>(histogram, 16), std::vector<cl_int>(16, 50 * 64 * 10 / 16));
}

TEST_F(Atomics, OldNames) {
  SPEC("C, Atomic Functions: the atom_ names of OpenCL C 1.0 (cl_khr_global_int32_base_atomics)");
  EXPECT_EQ(final_value<cl_int>("int", 0, "atom_add(p, 2); atom_inc(p)"), 3 * 2048);
}

TEST_F(Atomics, SixtyFourBits) {
  SPEC("Extensions: cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics");
  if (!has_extension("cl_khr_int64_base_atomics") ||
      !has_extension("cl_khr_int64_extended_atomics"))
    GTEST_SKIP();
  EXPECT_EQ(final_value<cl_long>("long", 0, "atom_add(p, (long)g << 32)"), cl_long(2047 * 1024)
                                                                               << 32);
  EXPECT_EQ(final_value<cl_ulong>("ulong", 0, "atom_inc(p)"), 2048u);
  EXPECT_EQ(final_value<cl_long>("long", 0, "atom_min(p, -((long)g << 33))"),
            -(cl_long(2047) << 33));
  EXPECT_EQ(final_value<cl_ulong>("ulong", 0, "atom_or(p, 1ul << (g % 64))"), ~cl_ulong(0));
}

TEST_F(Atomics, GenericFunctionsOfVersionTwo) {
  SPEC("C, Atomic Functions: atomic_fetch_add_explicit, relaxed order, work-group scope (mandatory "
       "in OpenCL C 3.0)");
  if (version < 300)
    GTEST_SKIP();
  Kernel kernel = make_kernel(R"(
    kernel void k(global int* out) {
      local atomic_int count;
      if (get_local_id(0) == 0) atomic_init(&count, 100);
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      atomic_fetch_add_explicit(&count, 2, memory_order_relaxed, memory_scope_work_group);
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = atomic_load_explicit(&count, memory_order_relaxed, memory_scope_work_group);
    })",
                              "k", "-cl-std=CL3.0");
  Memory out = make_buffer(64 * sizeof(cl_int));
  set_arguments(kernel, out);
  run(kernel, {64}, {16});
  EXPECT_EQ(read<cl_int>(out, 64), std::vector<cl_int>(64, 132));
}

} // namespace
