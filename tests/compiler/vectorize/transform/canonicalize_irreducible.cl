// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A loop with two entries gets one, which sends every work-item to where it came for.
kernel void k(global int* a, int n) {
  size_t i = get_global_id(0);
  int x = a[i];
  if (x > 5)
    goto second;
first:
  x += 3;
  a[i] = x;
second:
  x -= 1;
  if (x > n)
    goto first;
  a[i] = x;
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: irr.guard:
// CHECK: [[FIRST:%.*]] = phi <8 x i1>
// CHECK: [[MASK:%mask.*]] = phi <8 x i1>
// CHECK: select <8 x i1> [[MASK]], <8 x i1> [[FIRST]], <8 x i1> zeroinitializer
// CHECK: call void @llvm.masked.store.v8i32
// CHECK: br i1 %{{.*}}, label %irr.guard, label
