// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s

// An update of one address by all lanes is a reduction and one update. It is skipped if no lane is
// active: the address need not be valid then.
kernel void count(global int* n, global const int* a) {
  atomic_add(n, a[get_global_id(0)]);
}
// CHECK-LABEL: define internal void @count.whole(
// CHECK: [[SUM:%.*]] = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %{{.*}})
// CHECK: atomicrmw add ptr addrspace(1) %n, i32 [[SUM]]
// CHECK-NOT: atomicrmw
// CHECK: ret void
// CHECK-LABEL: define internal void @count.tail(
// CHECK: select <8 x i1> %active{{.*}}, <8 x i32> %{{.*}}, <8 x i32> zeroinitializer
// CHECK: br i1 %any, label %update, label %update.done
// CHECK: update:
// CHECK: atomicrmw add

// The old values are those of execution in the order of the lanes: a prefix sum.
kernel void place(global int* n, global int* a) {
  size_t i = get_global_id(0);
  a[i] = atomic_add(n, a[i]);
}
// CHECK-LABEL: define internal void @place.whole(
// CHECK: [[A:%.*]] = load <8 x i32>
// CHECK: [[OLD:%.*]] = atomicrmw add
// CHECK-NOT: atomicrmw
// CHECK-COUNT-3: shufflevector <8 x i32> %{{.*}}, <8 x i32> zeroinitializer
// CHECK: [[PREFIX:%.*]] = sub <8 x i32> %{{.*}}, [[A]]
// CHECK: insertelement <8 x i32> poison, i32 [[OLD]]
// CHECK: add <8 x i32> [[PREFIX]]

// There is no such rule for the old values of a maximum: it is scalarized.
kernel void largest(global int* n, global int* a) {
  size_t i = get_global_id(0);
  a[i] = atomic_max(n, a[i]);
}
// CHECK-LABEL: define internal void @largest.whole(
// CHECK-NOT: vector.reduce
// CHECK-COUNT-8: atomicrmw max
// CHECK: ret void

// Without a use of the old values it is reduced.
kernel void largest_only(global int* n, global int* a) {
  atomic_max(n, a[get_global_id(0)]);
}
// CHECK-LABEL: define internal void @largest_only.whole(
// CHECK: call i32 @llvm.vector.reduce.smax.v8i32
// CHECK: atomicrmw max
// CHECK-NOT: atomicrmw
// CHECK: ret void

// Addresses that differ between lanes are updated one by one.
kernel void histogram(global int* n, global const int* a) {
  size_t i = get_global_id(0);
  atomic_add(n + a[i], a[i + 100]);
}
// CHECK-LABEL: define internal void @histogram.whole(
// CHECK-NOT: vector.reduce
// CHECK-COUNT-8: atomicrmw add
// CHECK: ret void
