// RUN: %heddlec %s --stage=entry-points --width=8 | %filecheck %s
// Each step between barriers has loops of its own, where its number is a constant; sub-groups that
// come to different barriers go on one by one.
kernel void k(global int* a) {
  local int part[64];
  size_t l = get_local_id(0);
  part[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = part[63 - l];
}
// CHECK-LABEL: define internal void @k(
// CHECK: dispatch:
// CHECK: switch i32 %step, label %nowhere [
// CHECK-NEXT: i32 0, label
// CHECK-NEXT: i32 1, label
// CHECK: call i32 @k.wide({{.*}}, i32 0, ptr
// CHECK: call i32 @k.tail({{.*}}, i32 0, ptr
// CHECK: icmp eq i32 [[ALL:%.*]], [[ANY:%.*]]
// CHECK: call i32 @k.wide({{.*}}, i32 1, ptr
// CHECK: round:
// CHECK: call i32 @k.wide({{.*}}, i32 %{{.*}}, ptr
