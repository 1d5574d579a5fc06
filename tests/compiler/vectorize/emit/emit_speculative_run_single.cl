// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s

// A single speculative load is not a run: it gathers by itself if its check fails, and the sub-group
// is not restarted.
kernel void alone(global const float* in, global float* out, int width) {
  int x = get_global_id(0);
  out[x] = in[clamp(x - 1, 0, width - 1)];
}
// CHECK-LABEL: define internal void @alone.whole(
// CHECK: not.strided:
// CHECK-NOT: call void @alone.tail
// CHECK: call <8 x float> @llvm.masked.gather
// CHECK: load.done:
// CHECK: phi <8 x float>

// Loads on both sides of a barrier are not one run.
kernel void apart(global const float* in, global float* out, int width) {
  int x = get_global_id(0);
  float a = in[clamp(x - 1, 0, width - 1)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[x] = a + in[clamp(x + 1, 0, width - 1)];
}
// CHECK-LABEL: define internal {{.*}} @apart.whole(
// CHECK-NOT: call void @apart.tail
// CHECK: load.done:
// CHECK-NOT: run.done:
// CHECK: load.done{{[0-9]+}}:
