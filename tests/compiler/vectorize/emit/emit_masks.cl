// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s

// Of different values that are stored to one address that of the last active lane remains: with all
// lanes active a constant one.
kernel void last(global int* a, global const int* b) {
  a[0] = b[get_global_id(0)];
}
// CHECK-LABEL: define internal void @last.whole(
// CHECK: [[V:%.*]] = load <8 x i32>
// CHECK: [[X:%.*]] = extractelement <8 x i32> [[V]], i64 7
// CHECK: store i32 [[X]]
// CHECK-LABEL: define internal void @last.tail(
// CHECK: [[BITS:%.*]] = bitcast <8 x i1> %active{{.*}} to i8
// CHECK: [[WORD:%.*]] = zext i8 [[BITS]] to i64
// CHECK: [[ZEROS:%.*]] = call i64 @llvm.ctlz.i64(i64 [[WORD]], i1 false)
// CHECK: [[LAST:%.*]] = sub i64 63, [[ZEROS]]
// CHECK: [[LANE:%.*]] = and i64 [[LAST]], 7
// CHECK: extractelement <8 x i32> %{{.*}}, i64 [[LANE]]

// A uniform value is stored as it is.
kernel void same(global int* a, int n) {
  a[0] = n;
}
// CHECK-LABEL: define internal void @same.tail(
// CHECK-NOT: ctlz
// CHECK: store i32 %n
