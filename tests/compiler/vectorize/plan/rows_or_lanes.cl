// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --cpu=x86-64-v4 | FileCheck %s
// One chain of arithmetic, in groups of a known size. Registers that hold few values hold two rows of 32 lanes; where they
// would hold one, two rows of 16 lanes are as much independent work and share what they load.
#define KERNEL(name, count) \
  kernel __attribute__((reqd_work_group_size(16, 16, 1))) void name(global float* out, global const float* c, \
                                                                    global const float* b, int n) { \
    const int x = get_global_id(0), y = get_global_id(1); \
    float term[count], sum = 0; \
    for (int i = 0; i < count; ++i) \
      term[i] = c[(y * count + i) * n + x]; \
    for (int k = 0; k < n; ++k) { \
      const float value = b[k * n + x]; \
      for (int i = 0; i < count; ++i) \
        sum = fma(sum, value, term[i]); \
    } \
    out[y * n + x] = sum; \
  }
// CHECK-LABEL: define internal void @few.block(
// CHECK-COUNT-2: call <32 x float> @llvm.fma
KERNEL(few, 2)
// CHECK-LABEL: define internal void @many.block(
// CHECK-COUNT-16: call <16 x float> @llvm.fma
// CHECK-NOT: call <16 x float> @llvm.fma
// CHECK: ret void
KERNEL(many, 8)
