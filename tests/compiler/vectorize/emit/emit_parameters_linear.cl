// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 -- -cl-std=CL3.0 | FileCheck %s

// Sub-groups that cross rows: x, y and z of each lane from its linear id, by division in single
// precision.
kernel void narrow(global int* a, int w) {
  size_t x = get_local_id(0), y = get_local_id(1);
  a[get_group_id(0) * 1000 + y * w + x] = sub_group_any(x > y);
}
// CHECK-LABEL: define internal void @narrow.tail(
// CHECK-NOT: uitofp
// CHECK: ret void
// CHECK-LABEL: define internal void @narrow.crossing(
// CHECK: [[FIRST:%.*]] = trunc i64 %local_x to i32
// CHECK: [[LINEAR:%.*]] = add <8 x i32> %{{.*}}, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
// CHECK: [[REAL:%.*]] = uitofp <8 x i32> [[LINEAR]] to <8 x float>
// CHECK: [[HALF:%.*]] = fadd <8 x float> [[REAL]], splat (float 5.000000e-01)
// CHECK: [[QUOTIENT:%.*]] = fdiv <8 x float> [[HALF]]
// CHECK: [[ROW:%.*]] = fptoui <8 x float> [[QUOTIENT]] to <8 x i32>
// CHECK: [[PRODUCT:%.*]] = mul <8 x i32> [[ROW]]
// CHECK: sub <8 x i32> [[LINEAR]], [[PRODUCT]]
