// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s
// RUN: %heddlec %s --stage=work-groups --width=8 | FileCheck %s --check-prefix=MOVES
// RUN: %heddlec %s --stage=vectorize --width=1 | FileCheck %s --check-prefix=SCALAR
// An async copy is one call, which the sub-group with the group's first work-item makes: a branch
// without masks, whatever the lanes are.
kernel void known(global const int* in, local int* tile) {
  event_t e = async_work_group_copy(tile, in, 16, 0);
  wait_group_events(1, &e);
}
// CHECK-LABEL: define internal i32 @known.whole(
// CHECK: [[LEADS:%.*]] = call i1 @__heddle_sub_group_is_leader()
// CHECK-NEXT: br i1 [[LEADS]],
// CHECK: call void @__heddle_call_once_copy_bytes({{.*}}, i64 noundef 64)
// CHECK-NOT: call void @__heddle_call_once_copy_bytes
// CHECK: define internal i32 @known.tail(
// CHECK: br i1 %{{.*}}, label
// CHECK: call void @__heddle_call_once_copy_bytes
// SCALAR-LABEL: define internal i32 @known.item(
// SCALAR: call {{.*}}i1 @__heddle_sub_group_is_leader()

// A few bytes are moved where the kernel is, of the sub-group whose first ids are zero.
// MOVES-LABEL: define internal i32 @known.whole(
// MOVES: [[XY:%.*]] = or i64 %local_x, %local_y
// MOVES: [[XYZ:%.*]] = or i64 [[XY]], %local_z
// MOVES: icmp eq i64 [[XYZ]], 0
// MOVES: call void @llvm.memcpy{{.*}}, i64 64, i1 false)
// MOVES-NOT: call void @__heddle_call_once_copy_bytes
// MOVES: define internal i32 @known.tail(

// What is not known to be the same for all lanes is the first active one's.
kernel void uneven(global const int* in, local int* tile, global const uint* size) {
  event_t e = async_work_group_copy(tile, in, size[get_local_id(0) / 3], 0);
  wait_group_events(1, &e);
}
// CHECK-LABEL: define internal i32 @uneven.whole(
// CHECK: [[BYTES:%.*]] = extractelement <8 x i64> %{{.*}}, i64 0
// CHECK: call void @__heddle_call_once_copy_bytes({{.*}}, i64 noundef [[BYTES]])
// MOVES-LABEL: define internal i32 @uneven.whole(
// MOVES: call void @__heddle_call_once_copy_bytes
