// RUN: %heddlec %s --check=memory --stage=link -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --stage=link -- -cl-std=CL3.0 | FileCheck %s --check-prefix=WITHOUT
// RUN: %heddlec %s --check=memory --object -o %t.bc -- -cl-std=CL3.0
// RUN: %heddlec %t.bc --check=memory --stage=link -- | FileCheck %s
// RUN: %heddlec %t.bc --stage=link -- | FileCheck %s --check-prefix=WITHOUT
// Indices of arrays within structures, of inner dimensions and of vectors are checked by the number of elements, unless
// their access is that of a variable as a whole. Nothing is left of Clang's handler, also where a library that was
// compiled with the check is linked without.
// CHECK-NOT: ubsan
// CHECK-DAG: @"heddle.object.'int[4]'.4" = internal constant { i64, ptr } { i64 4,
// CHECK-DAG: @"heddle.object.'int[4]'.5" = internal constant { i64, ptr } { i64 5,
// WITHOUT-NOT: ubsan
// WITHOUT-NOT: check_object
typedef struct { int a[4]; int b; } Record;
typedef struct { int count; int data[1]; } Flexible;

// CHECK-LABEL: define {{.*}}@checked(
// CHECK: [[I:%.*]] = sext i32 {{.*}} to i64
// CHECK: call void @heddle.check_object(i32 32, ptr @heddle.place{{[.0-9]*}}, ptr @"heddle.object.'int[4]'.4", i64 [[I]], i64 1)
// CHECK: getelementptr inbounds [4 x i32]
// Whose address alone is taken: one behind the last is right.
// CHECK: check_object({{.*}}'int[4]'.5", i64 {{%.*}}, i64 1)
// CHECK: getelementptr inbounds [3 x [5 x i32]]
// CHECK: check_object({{.*}}'int[5]'.5", i64 {{%.*}}, i64 1)
// CHECK: check_object({{.*}}'int4' (vector of 4 'int' values).4", i64 {{%.*}}, i64 1)
// CHECK: extractelement
// A sum.
// CHECK: check_object({{.*}}'int[4]'.5", i64 {{%.*}}, i64 1)
// CHECK: getelementptr inbounds i32, ptr addrspace(1)
// Constant ones are known.
// CHECK: check_object({{.*}}'int[4]'.4", i64 -1, i64 1)
// CHECK-NOT: check_object
// CHECK: ret void
kernel void checked(global Record* r, global int* data, int n, int4 v) {
  int m[3][5];
  r->a[n] = 1;
  global int* end = &r->a[n];
  m[n][n + 1] = *end;
  data[0] = m[2][4] + v[n];
  data[1] = *(r->a + n);
  r->a[-1] = 1;
  r->a[3] = 1;
}

// CHECK-LABEL: define {{.*}}@left_out(
// CHECK-NOT: check_object
// CHECK: ret void
// CHECK-NOT: ubsan
kernel void left_out(global Flexible* f, global int* data, int n) {
  int a[8], m[2][3];
  a[n] = m[n][1] = 1;
  f->data[n] = a[7] + data[n];
  int *end = &m[2][0], *before = a - 1;
  data[1] = (end - m[0]) + before[n] + *(a + n);
}
