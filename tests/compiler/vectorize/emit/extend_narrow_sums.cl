// Sums and products that may wrap around before they are extended are computed as they are narrow:
// all lanes of a sub-group, or the one that runs alone, may have wrapped around.
// RUN: %heddlec --width=4 --stage=work-groups -o /dev/null %s | FileCheck %s

// CHECK-LABEL: define internal void @sum.whole(
// CHECK: %[[ID:.*]] = trunc i64 %{{.*}} to i32
// CHECK: %[[SUM:.*]] = add i32 %[[ID]], 28
// CHECK: zext i32 %[[SUM]] to i64
// CHECK: load <4 x float>
// CHECK: ret void
kernel void sum(global float* out, global const float* in) {
  const uint i = (uint)get_global_id(0) + 28;
  out[get_global_id(0)] = in[i] + in[(int)i];
}

// CHECK-LABEL: define internal void @product.whole(
// CHECK: %[[ID:.*]] = trunc i64 %{{.*}} to i32
// CHECK: %[[PRODUCT:.*]] = mul i32 %[[ID]], 3
// CHECK: zext i32 %[[PRODUCT]] to i64
// CHECK: ret void
kernel void product(global float* out, global const float* in) {
  const uint i = (uint)get_global_id(0) * 3;
  out[get_global_id(0)] = in[i] + in[(int)i];
}
