// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generic address space (OpenCL C 6.7.5; 6.15.7, 6.15.8): the address spaces of pointers of
// unknown origin.
#include "tests/api/api_test.h"

namespace heddle::test {
namespace {

// For each work-item: to_global, to_local, to_private and the fence of a pointer to each address
// space.
TEST(GenericPointer, IsToldApart) {
  const char* source = R"(
    global int program_scope;
    int kind(int* p) {
      return (to_global(p) == p) + 10 * (to_local(p) == p) + 100 * (to_private(p) == p) +
             1000 * (to_global(p) == 0) + 10000 * (to_local(p) == 0) + 100000 * (to_private(p) == 0);
    }
    kernel void k(global int* out, global const int* in) {
      local int shared[256];
      int own[4];
      int which = in[0];
      shared[get_local_id(0)] = own[which] = 0;
      BARRIER
      int* all[4] = {out + get_global_id(0), shared + get_local_id(0), own + which, &program_scope};
      global int* o = out + get_global_id(0) * 8;
      for (int i = 0; i < 4; ++i) {
        o[i] = kind(all[i]);
        o[4 + i] = get_fence(all[i]) == CLK_GLOBAL_MEM_FENCE ? 1 :
                   get_fence(all[i]) == CLK_LOCAL_MEM_FENCE ? 2 : 0;
      }
    })";
  for (const char* options :
       {"-cl-std=CL3.0 -DBARRIER=", "-cl-std=CL3.0 -DBARRIER=barrier(CLK_LOCAL_MEM_FENCE);",
        "-cl-std=CL3.0 -cl-opt-disable -DBARRIER="}) {
    const auto out =
        compute<cl_int>(source, options, {{64}, {32}, {}}, 64 * 8, std::vector<cl_int>{2});
    const cl_int expected[] = {110001, 101010, 11100, 110001, 1, 2, 0, 1};
    for (size_t i = 0; i != out.size(); ++i)
      ASSERT_EQ(out[i], expected[i % 8]) << options << " field " << i % 8;
  }
}

} // namespace
} // namespace heddle::test
