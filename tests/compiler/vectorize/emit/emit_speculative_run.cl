// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=x86-64-v4 | FileCheck %s
// Several speculative loads: each condition is checked once, and if one fails the sub-group
// restarts in the masked variant, which gathers.
kernel void row(global float* out, global const float* in, int width) {
  int x = get_global_id(0);
  float sum = 0;
  for (int d = -1; d <= 1; ++d)
    sum += in[clamp(x + d, 0, width - 1)];
  out[x] = sum;
}
// CHECK-LABEL: define internal void @row.whole(
// CHECK-NOT: masked.gather
// CHECK: not.strided:
// CHECK: call void @row.tail(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %width, i64 16, ptr %group,
// CHECK-NEXT: ret void
// CHECK: strided{{[0-9]*}}:
// CHECK: load <16 x float>
// CHECK-NOT: masked.gather
// CHECK: store <16 x float>
// CHECK-LABEL: define internal void @row.tail(
// CHECK: not.strided:
// CHECK-COUNT-3: call <16 x float> @llvm.masked.gather

// After a store the sub-group cannot be restarted: the variant has a path of gathers.
kernel void behind(global float* out, global const float* in, global float* other, int width) {
  int x = get_global_id(0);
  other[x] = 1;
  out[x] = in[clamp(x - 1, 0, width - 1)] + in[clamp(x + 1, 0, width - 1)];
}
// CHECK-LABEL: define internal void @behind.whole(
// CHECK: store <16 x float> splat
// CHECK: not.strided:
// CHECK-COUNT-2: call <16 x float> @llvm.masked.gather
// CHECK: run.done:
// CHECK: phi <16 x float>

// Behind a bounds check that lane 0 decides it can.
kernel void guarded(global float* out, global const float* in, int width) {
  int x = get_global_id(0);
  if (x < width)
    out[x] = in[clamp(x - 1, 0, width - 1)] + in[clamp(x + 1, 0, width - 1)];
}
// CHECK-LABEL: define internal void @guarded.whole(
// CHECK-NOT: masked.gather
// CHECK: not.strided:
// CHECK: call void @guarded.tail(
// CHECK-NEXT: ret void
// CHECK-NOT: masked.gather
// CHECK-LABEL: define internal void @guarded.tail(
