// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s

// Signed arithmetic must not overflow: there is nothing to check.
kernel void signed_index(global const float* in, global float* out, int from) {
  int i = get_global_id(0);
  out[i] = in[from + i];
}
// CHECK-LABEL: define internal void @signed_index.whole(
// CHECK-NOT: br i1
// CHECK: load <8 x float>
// CHECK-NOT: br i1
// CHECK: ret void

// An index that is loaded has no likely stride: a gather without a check.
kernel void loaded_index(global const float* in, global float* out, global const int* at) {
  size_t i = get_global_id(0);
  out[i] = in[at[i]];
}
// CHECK-LABEL: define internal void @loaded_index.whole(
// CHECK-NOT: br i1
// CHECK: call <8 x float> @llvm.masked.gather
// CHECK: ret void
