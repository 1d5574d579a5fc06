// RUN: %heddlec %s --check=memory --stage=inline -- -cl-std=CL3.0 | FileCheck %s --check-prefix=PASSED
// RUN: %heddlec %s --check=memory --stage=simplify -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --check=memory --width=8 --verify-each --stage=vectorize -- -cl-std=CL3.0 | FileCheck %s --check-prefix=BOUNDS
// RUN: %heddlec %s --check=memory --check=uninitialized --width=8 --verify-each --stage=vectorize -- -cl-std=CL3.0
// RUN: %heddlec %s --stage=simplify -- -cl-std=CL3.0 | FileCheck %s --check-prefix=WITHOUT
// A function that is not inlined takes the variable of its caller that a pointer points into, and the offset in it, and
// returns them with a pointer. Its accesses are checked by them; so are those to its own variables.
// WITHOUT-NOT: heddle.object
// WITHOUT-NOT: check_object

// PASSED-LABEL: define {{.*}}@passes.body(
// PASSED: call {{.*}}@set({{.*}}, ptr @"heddle.object.the private variable 'a'.32", i64 {{%.*}},
// What points to unknown memory may have any offset.
// PASSED: call {{.*}}@set({{.*}}, ptr @"heddle.object.unknown memory.9223372036854775808", i64 4611686018427387904,
// CHECK-LABEL: define {{.*}}@passes.body(
// Of one variable or another.
// CHECK: [[OBJECT:%.*]] = select i1 {{%.*}}, ptr @"heddle.object.the private variable 'b'.16", ptr @"heddle.object.the private variable 'a'.32"
// CHECK: call void @heddle.check_object(i32 21, ptr {{.*}}, ptr nonnull [[OBJECT]], i64 {{%.*}}, i64 4)
// CHECK-LABEL: define {{.*}}@own(
// CHECK: check_object({{.*}}the private variable 'a'.32", i64 {{%.*}}, i64 4)

// PASSED-LABEL: define {{.*}}{ ptr addrspace(4), ptr, i64 } @set(
// PASSED-SAME: ptr {{.*}}"heddle.object_place"="2" %p, i32 {{.*}}%n, ptr %p.object, i64 %p.offset, ptr
// PASSED: [[NEXT:%.*]] = add i64 %p.offset, 4
// PASSED: call {{.*}}@set({{.*}}, ptr %p.object, i64 [[NEXT]],
// CHECK-LABEL: define {{.*}}@set(
// CHECK: call void @heddle.check_object(i32 22, ptr {{.*}}, ptr %p.object, i64 {{%.*}}, i64 4)
// CHECK: store i32
// BOUNDS-LABEL: define {{.*}}@set(
// BOUNDS: %object.bytes = load i64, ptr %p.object, align 8, {{.*}}!invariant.load
// BOUNDS: call void @heddle.check_bounds.p0(ptr
int* set(int* p, int n) {
  if (n > 9)
    return set(p + 1, n - 9);
  p[n] = n;
  return p + n;
}

int own(int n) {
  int a[8] = {n};
  return n > 90 ? own(n - 9) : a[n];
}

kernel void passes(global int* data, int n, ulong address) {
  int a[8] = {n}, b[4] = {n};
  int* p = n & 1 ? a : b;
  data[0] = *set(a + n, n) + own(n);
  set((int*)address, n);
  data[1] = p[n] + b[n & 3];
}
