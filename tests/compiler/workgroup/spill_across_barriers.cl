// RUN: %heddlec %s --stage=vectorize --width=16 | FileCheck %s
// What is needed behind a barrier is stored once, where it is made; the loop's sum and its next value share a place,
// so that the step that does not need them leaves them alone.
kernel void rounds(global float* out, global const float* in, local float* t, int n) {
  uint l = get_local_id(0);
  float sum = in[l];
  for (int i = 0; i < n; ++i) {
    t[l] = in[i * 64 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[l ^ 32];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[l] = sum;
}
// CHECK-LABEL: define internal i32 @rounds.wide({{.*}} ptr noalias align 64 %frame, {{.*}})
// CHECK: %[[FIRST:.*]] = load <16 x float>
// CHECK: %[[INIT:.*]] = getelementptr inbounds i8, ptr %frame, i64 64
// CHECK-NEXT: store <16 x float> %[[FIRST]], ptr %[[INIT]], align 64
// CHECK: region1:
// CHECK: %[[AT:.*]] = getelementptr inbounds i8, ptr %frame, i64 64
// CHECK: %[[BEFORE:.*]] = load <16 x float>, ptr %[[AT]], align 64
// CHECK: %[[SUM:.*]] = fadd <16 x float> %[[BEFORE]]
// CHECK-NEXT: %[[AGAIN:.*]] = getelementptr inbounds i8, ptr %frame, i64 64
// CHECK-NEXT: store <16 x float> %[[SUM]], ptr %[[AGAIN]], align 64
// CHECK: region2:
// CHECK-NOT: store <16 x float>
// CHECK-LABEL: define

// An address that is kept is another way to the frame.
kernel void kept(global int* out, global const int* in, local int* t) {
  uint l = get_local_id(0);
  int a = 1, b = 2;
  int* places[2] = {&a, &b};
  t[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a = t[l ^ 1];
  out[l] = *places[in[l] & 1];
}
// CHECK-LABEL: define internal i32 @kept.wide({{.*}} ptr align 64 %frame, {{.*}})
