// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// Index arithmetic that a loop does not change keeps its step from work-item to work-item behind the
// loop and behind a barrier.
kernel void k(global int* a, int n) {
  local int part[3][65];
  int l = get_local_id(0);
  for (int i = 0; i < 3; ++i)
    part[i][l + 1] = n;
  for (int i = 0; i < n; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    part[i & 1][l + 1] += part[2][l];
  }
  a[l] = part[0][l + 1];
}
// CHECK-LABEL: define internal i32 @k.whole(
// CHECK-NOT: gather
// CHECK-NOT: scatter
// CHECK: ret i32
// CHECK-LABEL: define internal i32 @k.tail(
