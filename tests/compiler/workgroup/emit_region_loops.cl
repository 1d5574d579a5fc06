// RUN: %heddlec %s --stage=work-groups --width=8 | FileCheck %s
// Each region has loops of its own, in which its number is a constant. A region with a unique
// successor branches to it.
kernel void straight(global int* a) {
  local int part[64];
  size_t l = get_local_id(0);
  part[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = part[63 - l];
}
// CHECK-LABEL: define internal void @straight(
// CHECK-NOT: switch
// CHECK: call i32 @straight.whole({{.*}}, i32 0, ptr
// CHECK: call i32 @straight.tail({{.*}}, i32 0, ptr
// CHECK-NOT: icmp eq i32 %successors_and
// CHECK: call i32 @straight.whole({{.*}}, i32 1, ptr
// CHECK-NOT: switch
// CHECK-NOT: any_region:
// CHECK: ret void

// In a convergent kernel all sub-groups return the same successor: that of the last one is used.
kernel void branching(global int* a, int n) {
  local int part[64];
  size_t l = get_local_id(0);
  part[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 1; i < n; i += i) {
    int other = part[l ^ i];
    barrier(CLK_LOCAL_MEM_FENCE);
    part[l] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[l] = part[63 - l];
}
// CHECK-LABEL: define internal void @branching(
// CHECK: dispatch:
// CHECK: switch i32 %next_region, label %unreachable [
// CHECK-NEXT: i32 0, label
// CHECK-NEXT: i32 1, label
// CHECK: [[NEXT:%.*]] = call i32 @branching.whole({{.*}}, i32 1, ptr
// CHECK-NEXT: store i32 [[NEXT]], ptr %last_successor
// CHECK: call i32 @branching.whole({{.*}}, i32 3, ptr
// CHECK-NOT: any_region:

// Where control flow depends on memory that another sub-group may write, successors are compared.
// If they differ, each sub-group continues with its own region.
kernel void parting(global int* a, global const int* n) {
  local int part[64];
  size_t l = get_local_id(0);
  part[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 1; i < *n; i += i) {
    int other = part[l ^ i];
    barrier(CLK_LOCAL_MEM_FENCE);
    part[l] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[l] = part[63 - l];
}
// CHECK-LABEL: define internal void @parting(
// CHECK: dispatch:
// CHECK: switch i32 %next_region, label %unreachable [
// CHECK-NEXT: i32 0, label
// CHECK-NEXT: i32 1, label
// CHECK: call i32 @parting.whole({{.*}}, i32 1, ptr {{[^,]*}}, ptr null, ptr null)
// CHECK: icmp eq i32 [[ALL:%.*]], [[ANY:%.*]]
// CHECK: call i32 @parting.whole({{.*}}, i32 3, ptr
// CHECK: any_region:
// CHECK: call i32 @parting.whole({{.*}}, i32 %{{.*}}, ptr
