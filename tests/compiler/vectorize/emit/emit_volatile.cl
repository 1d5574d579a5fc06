// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// RUN: %heddlec %s --stage=optimize --width=8 --cpu=x86-64-v4 | FileCheck %s --check-prefix=OPTIMIZED
// Volatile accesses with a stride are vectors, between fences of which the CPU sees nothing. They are neither left out
// nor merged nor moved.
kernel void twice(global volatile int* a, global int* b) {
  size_t i = get_global_id(0);
  a[i] = 1;
  a[i] = a[i] + a[i];
  b[i] = 2;
}
// CHECK-LABEL: define internal void @twice.whole(
// CHECK: fence syncscope("singlethread") acq_rel
// CHECK-NEXT: store <8 x i32> splat (i32 1), ptr addrspace(1)
// CHECK-NEXT: fence syncscope("singlethread") acq_rel
// CHECK: fence syncscope("singlethread") acq_rel
// CHECK-NEXT: load <8 x i32>, ptr addrspace(1)
// CHECK-NEXT: fence syncscope("singlethread") acq_rel
// CHECK: fence syncscope("singlethread") acq_rel
// CHECK-NEXT: load <8 x i32>, ptr addrspace(1)
// CHECK-NEXT: fence syncscope("singlethread") acq_rel
// CHECK: fence syncscope("singlethread") acq_rel
// CHECK-NEXT: store <8 x i32> %{{.*}}, ptr addrspace(1)
// CHECK-NEXT: fence syncscope("singlethread") acq_rel
// CHECK-NOT: fence
// CHECK: ret void
// CHECK-LABEL: define internal void @twice.tail(
// CHECK: fence syncscope("singlethread") acq_rel
// CHECK-NEXT: call void @llvm.masked.store
// CHECK-NEXT: fence syncscope("singlethread") acq_rel

// Also masked ones stay in loops that seem to repeat them.
// OPTIMIZED-LABEL: define {{.*}}void @again(
// OPTIMIZED: llvm.masked.load
// OPTIMIZED: llvm.masked.load
kernel void again(local volatile int* a, global int* b, int n) {
  int l = get_local_id(0), sum = 0;
  if (b[l] > 0)
    for (int i = 0; i < n; ++i)
      sum += a[l];
  b[l] = sum;
}
// CHECK-LABEL: define internal void @again.whole(
// CHECK: for.body{{.*}}:
// CHECK: fence syncscope("singlethread") acq_rel
// CHECK-NEXT: call <8 x i32> @llvm.masked.load
// CHECK-NEXT: fence syncscope("singlethread") acq_rel
// CHECK: br i1

// Private variables are none of other work-items' business, and stay as they are.
kernel void own(global int* b) {
  volatile int x = b[get_global_id(0)];
  b[get_global_id(0)] = x + x;
}
// CHECK-LABEL: define {{.*}}@own
// CHECK-NOT: fence
