// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory,buffers: what is out of bounds is reported as such, though memory around a
// buffer has no shadow.
#include "tests/api/checked_kernels.h"

#include <cstdlib>
#include <utility>

namespace heddle::test {
namespace {

// Before the driver reads it.
[[maybe_unused]] const int kChecksAreSet = setenv("HEDDLE_CHECK", "memory,buffers", 1);

using UninitializedBounds = CheckedKernels;

// `p` is far behind the buffer.
const std::pair<const char*, const char*> kAccesses[] = {
    {"out[i] = *p;", "load"},
    {"if (*p) out[i] = 1;", "load"},
    {"*p = i;", "store"},
    {"atomic_inc(p);", "atomic operation"},
    {"atomic_cmpxchg(p, 1, 2);", "atomic operation"},
    {"out[i] = vload4(i, p).w;", "load"},
    {"vstore3((int3)(i), i, p);", "store"},
    {"*(global S*)out = *(global S*)p;", "load"},
    {"S s = {1, 2}; *(global S*)p = s;", "store"},
    {"for (int j = 0; j < n + 4; ++j) p[j] += j;", "load"},
};

TEST_F(UninitializedBounds, AreReported) {
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"})
    for (const auto& [statement, kind] : kAccesses) {
      SCOPED_TRACE(std::string(options) + ": " + statement);
      const auto program =
          build(context_,
                "typedef struct { char a; long b; } S;\n"
                "kernel void k(global int* out, global int* in, int n) {\n"
                "int i = get_global_id(0); global int* p = in + (1 << 27) + n + 2 * i;\n" +
                    std::string(statement) + "\n}",
                options);
      const auto kernel = make_kernel(program, "k");
      const auto out = make_buffer(context_, 4096);
      const auto in = make_buffer(context_, 4096);
      set_args(kernel, out, in, cl_int{0});
      const auto text = outcome(kernel, {{32}, {16}, {}});
      expect_in(text, std::string(kind) + " at ");
      expect_in(text, " bytes 5368709");
      expect_in(text, "of argument 1 'in', which has 4096");
    }
}

} // namespace
} // namespace heddle::test
