// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=x86-64-v4 | FileCheck %s
// Declarations of alias scopes, which an inlined function's restrict pointers have, do not end a run.
static float at(global const float* restrict in, int i) { return *(in + i); }
kernel void row(global float* out, global const float* in, int width) {
  int x = get_global_id(0);
  float sum = 0;
  for (int d = -1; d <= 1; ++d)
    sum += at(in, clamp(x + d, 0, width - 1));
  out[x] = sum;
}
// CHECK-LABEL: define internal void @row.whole(
// CHECK-NOT: masked.gather
// CHECK: not.strided:
// CHECK: call void @row.tail(
// CHECK-NEXT: ret void
// CHECK-NOT: masked.gather
// CHECK: store <16 x float>
