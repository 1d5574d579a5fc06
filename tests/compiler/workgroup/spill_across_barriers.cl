// RUN: %heddlec %s --stage=vectorize --width=16 | FileCheck %s
// A value that is live across a barrier is stored once, after its definition. The phi of the sum and the value from the
// latch share a slot, so that the region that does not use them does not copy it.
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
// CHECK-LABEL: define internal i32 @rounds.whole({{.*}} ptr noalias align 64 %frame, {{.*}})
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

// The address of a variable in the frame escapes, so the frame may be aliased.
kernel void kept(global int* out, global const int* in, local int* t) {
  uint l = get_local_id(0);
  int a = 1, b = 2;
  int* places[2] = {&a, &b};
  t[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a = t[l ^ 1];
  out[l] = *places[in[l] & 1];
}
// CHECK-LABEL: define internal i32 @kept.whole({{.*}} ptr align 64 %frame, {{.*}})
