// RUN: %heddlec %s --stage=work-groups --width=8 | FileCheck %s
// Ids that a kernel narrows go on from lane to lane but across multiples of 2^31: groups that come
// near one run the masked form with one work-item at a time.
kernel void narrowed(global float* out, global const float* in) {
  int i = get_global_id(0);
  out[i] = in[i + 1];
}
// CHECK-LABEL: define internal void @narrowed.whole(
// CHECK-NOT: gather
// CHECK: ret void
// CHECK-LABEL: define internal void @narrowed.tail(
// CHECK-NOT: gather
// CHECK: ret void
// CHECK-LABEL: define internal void @narrowed(
// CHECK: [[LOW:%.*]] = and i32 %{{.*}}, 2147483647
// CHECK: icmp uge i32 [[LOW]], 21474754
// CHECK: %whole = select i1 {{.*}}, i64 0, i64
// CHECK: call void @narrowed.whole(
// CHECK: [[STEP:%.*]] = select i1 {{.*}}, i64 1, i64 8
// CHECK: tail.x:
// CHECK: call i64 @llvm.umin.i64(i64 %{{.*}}, i64 [[STEP]])
// CHECK: call void @narrowed.tail(

// Those that wait for each other run whole sub-groups, in a form that looks at what it gets.
kernel void together(global float* out, global const float* in) {
  int i = get_global_id(0);
  local float l[64];
  l[get_local_id(0)] = in[i + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = l[63 - get_local_id(0)];
}
// CHECK-LABEL: define internal i32 @together.whole(
// CHECK-NOT: gather
// CHECK: {{^}}}
// CHECK-LABEL: define internal i32 @together.tail(
// CHECK: llvm.masked.gather
// CHECK: {{^}}}
// CHECK-LABEL: define internal void @together(
// CHECK: icmp uge i32 %{{.*}}, 21474754
// CHECK-NOT: i64 1, i64 8
// CHECK: tail.x:
// CHECK: call i64 @llvm.umin.i64(i64 %{{.*}}, i64 8)

// No local id comes near one, and 64-bit ids need not be looked at, nor those that stay narrow.
kernel void harmless(global float* out, global const float* in, global int* numbers) {
  int l = get_local_id(0);
  out[get_global_id(0)] = in[l * 5 - 3];
  numbers[get_global_id(0)] = (int)get_global_id(0);
}
// CHECK-LABEL: define internal void @harmless.tail(
// CHECK-NOT: together:
// CHECK: ret void
// CHECK-LABEL: define internal void @harmless(
// CHECK-NOT: 2147483647
// CHECK-NOT: tail.x:
// CHECK: ret void
