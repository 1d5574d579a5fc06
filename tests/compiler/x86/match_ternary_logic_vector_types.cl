// RUN: %heddlec %s --stage=optimize --cpu=x86-64-v4 | FileCheck %s
// Also in kernels that stay scalar because their own vectors fill the registers.
kernel void choose(global uint16* a, global const uint16* b) {
  size_t i = get_global_id(0);
  uint16 x = a[i], y = b[i], z = b[i + 1];
  for (int k = 0; k < 20; ++k) {
    uint16 t = ((x & y) ^ (~x & z)) + 5;
    z = y;
    y = x;
    x = t;
  }
  a[i] = x;
}
// CHECK-LABEL: define {{.*}}void @choose(
// CHECK: call <16 x i32> @llvm.x86.avx512.pternlog.d.512(
