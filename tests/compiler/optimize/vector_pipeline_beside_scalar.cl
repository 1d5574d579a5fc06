// REQUIRES: x86
// RUN: %heddlec %s --stage=optimize --width=16 --cpu=x86-64-v4 | FileCheck %s
// Kernels that were vectorized go through passes of their own, also beside one that stays scalar.
kernel void choose(global uint* a, global const uint* b) {
  size_t i = get_global_id(0);
  a[i] = (b[i] & a[i]) ^ (~b[i] & b[i + 99]);
}
// CHECK-LABEL: define {{.*}}void @choose(
// CHECK: call <16 x i32> @llvm.x86.avx512.pternlog.d.512(

__attribute__((intel_reqd_sub_group_size(1))) kernel void scalar(global float* a, global const float* b) {
  size_t i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += b[4 * i + k];
  a[i] = sum;
}
// CHECK-LABEL: define {{.*}}void @scalar(
// CHECK-NOT: phi float
// CHECK: ret void
