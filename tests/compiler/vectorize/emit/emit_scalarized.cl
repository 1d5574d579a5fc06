// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A volatile access to addresses without a stride is scalarized in the order of the lanes; its result is a vector.
kernel void k(global volatile int* a, global int* b) {
  size_t i = get_global_id(0);
  b[i] = a[b[i]];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK-COUNT-8: load volatile i32, ptr addrspace(1)
// CHECK-NOT: load volatile
// CHECK: store <8 x i32> %{{.*}}, ptr addrspace(1)
// Under a mask there is code for the case that all lanes are active, and a loop over the active
// ones that none need be.
// CHECK-LABEL: define internal void @k.tail(
// CHECK: all.lanes:
// CHECK-COUNT-8: load volatile i32, ptr addrspace(1)
// CHECK: some.lanes:
// CHECK: [[NONE:%.*]] = icmp eq i64 %{{.*}}, 0
// CHECK-NEXT: br i1 [[NONE]], label %lanes.done, label %lane
// CHECK: lane:
// CHECK: [[LEFT:%left]] = phi i64
// CHECK: call i64 @llvm.cttz.i64(i64 [[LEFT]], i1 true)
// CHECK: load volatile i32, ptr addrspace(1)
// CHECK-NOT: load volatile
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %lane
