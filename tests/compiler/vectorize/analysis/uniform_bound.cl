// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// Lanes whose ids are below a limit are the first ones: lane 0 tells how many, and whether any.
kernel void tree(global float* a, local float* t) {
  size_t l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s)
      t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[l] = t[0];
}
// CHECK-LABEL: define internal i32 @tree.whole(
// CHECK-NOT: icmp {{.*}}<8 x i64>
// CHECK: [[DISTANCE:%.*]] = sub i64 [[LIMIT:%.*]], %local_x
// CHECK: [[MOST:%.*]] = call i64 @llvm.umin.i64(i64 [[DISTANCE]], i64 8)
// CHECK: [[IS_BELOW:%.*]] = icmp ult i64 %local_x, [[LIMIT]]
// CHECK: select i1 [[IS_BELOW]], i64 [[MOST]], i64 0
// CHECK: icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %
// CHECK: [[ANY:%.*]] = icmp ult i64 %local_x, [[LIMIT]]
// CHECK-NEXT: br i1 [[ANY]]
// CHECK: ret i32

// What is known of such a number in active lanes need not hold in lane 0.
kernel void from_some(global float* a, ulong from, ulong n) {
  size_t i = get_global_id(0);
  a[i] = 1;
  if (i >= from && i - from < n)
    a[i] = 2;
}
// CHECK-LABEL: define internal void @from_some.whole(
// CHECK: icmp {{.*}}<8 x i64>
// CHECK: ret void
