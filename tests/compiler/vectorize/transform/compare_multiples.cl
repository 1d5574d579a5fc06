// RUN: %heddlec %s --local=8x8 --print-after=compare-multiples -o %t 2>&1 | FileCheck %s
// RUN: %heddlec %s --local=16x8 --print-after=compare-multiples -o %t 2>&1 | FileCheck %s --check-prefix=WIDE
// Whether a work-item is in a whole tile depends on its group alone.

// CHECK-LABEL: define {{.*}}void @tiles.body(
// CHECK: [[TILE:%.*]] = shl i64 %{{.*}}, 4
// CHECK: [[FIRST:%.*]] = trunc i64 [[TILE]] to i32
// CHECK-NEXT: icmp slt i32 [[FIRST]],
// CHECK: ret void
// Groups of 16 work-items are larger than a tile.
// WIDE-LABEL: define {{.*}}void @tiles.body(
// WIDE: [[SUM:%.*]] = trunc i64 %add to i32
// WIDE: [[X:%.*]] = or disjoint i32 [[SUM]], 1
// WIDE: icmp slt i32 [[X]], %mul
// WIDE: ret void
kernel void tiles(global int* out, int n) {
  int x = get_group_id(0) * 16 + get_local_id(0) * 2 + 1;
  if (x < n / 16 * 16)
    out[x] = n;
  else if (x < n)
    out[x] = 2 * x;
}

// A sum of several ids; the limit is on the left.
// CHECK-LABEL: define {{.*}}void @linear.body(
// CHECK: [[TILE:%.*]] = shl i64 %{{.*}}, 6
// CHECK: [[FIRST:%.*]] = trunc i64 [[TILE]] to i32
// CHECK-NEXT: icmp sgt i32 %{{.*}}, [[FIRST]]
// CHECK: ret void
kernel void linear(global int* out, int n) {
  int x = get_group_id(0) * 64 + get_local_id(0) + get_local_id(1) * 8;
  if ((n & ~63) > x)
    out[x] = n;
  else
    out[x] = 2 * x;
}

// These depend on the work-item: what is added may be more than the multiple, and other comparisons.
// CHECK-LABEL: define {{.*}}void @others.body(
// CHECK: [[X:%.*]] = trunc i64 %add to i32
// CHECK: icmp sgt i32 %{{.*}}, [[X]]
// CHECK: icmp slt i32 %{{.*}}, [[X]]
// CHECK: icmp eq i32 %{{.*}}, [[X]]
// CHECK: ret void
kernel void others(global int* out, int n) {
  int x = get_group_id(0) * 16 + get_local_id(0) * 2;
  out[3 * x] = x < (n & ~7) ? n : x;
  out[3 * x + 1] = x > (n & ~15) ? n : x;
  out[3 * x + 2] = x == (n & ~15) ? n : x;
}
