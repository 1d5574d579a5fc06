// RUN: %heddlec %s --stage=inline -- -cl-std=CL3.0 | FileCheck %s
// Which of two places a work-group function uses is counted by each work-item for itself, so that
// it is a constant outside of loops.
kernel void inlined(global int* a) {
  size_t i = get_global_id(0);
  a[i] = work_group_reduce_add(a[i]);
}
// CHECK-LABEL: define {{.*}}@inlined.body(
// CHECK: %turn = alloca i32
// CHECK: store i32 0, ptr %turn
// CHECK: load i32, ptr %turn
// CHECK: ret void

// A kernel that calls a function with such in it counts in memory, as the function does.
int sum(int x, int n) {
  if (n > 1)
    return sum(x, n / 2) + sum(x, n - n / 2);
  return work_group_reduce_add(x);
}
kernel void called(global int* a, int n) {
  size_t i = get_global_id(0);
  a[i] = sum(work_group_reduce_max(a[i]), n);
}
// CHECK-LABEL: define {{.*}}@called.body(
// CHECK-NOT: %turn
// CHECK: load i64, ptr addrspace(3)
// CHECK: store i64 %{{.*}}, ptr addrspace(3)
// CHECK: ret void
// CHECK-LABEL: define {{.*}}i32 @sum(
// CHECK-NOT: %turn
// CHECK: load i64, ptr addrspace(3)
// CHECK: store i64 %{{.*}}, ptr addrspace(3)
