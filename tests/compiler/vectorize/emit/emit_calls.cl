// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A function that is not inlined is called once per active lane.
__attribute__((noinline)) int helper(global int* a, int x) {
  return x > 0 ? helper(a, x / 2) + a[x] : a[0];
}
kernel void k(global int* a, global int* b) {
  size_t i = get_global_id(0);
  b[i] = helper(a, b[i]);
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: lane:
// CHECK: phi i64 [ 255, %{{.*}} ]
// CHECK: call i32 @helper(ptr addrspace(1) {{.*}}%a, i32 {{.*}}%{{.*}})
// CHECK-NOT: call i32 @helper
// CHECK: store <8 x i32> %{{.*}}, ptr addrspace(1)
