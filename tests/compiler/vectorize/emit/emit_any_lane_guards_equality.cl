// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A region that is guarded by equality is skipped however cheap it is, since few lanes enter it. A
// cheap region under another condition has no guard.
kernel void edge(global float* a, int last) {
  int x = get_global_id(0);
  if (x == 0 || x == last)
    a[x] = 0;
}
// CHECK-LABEL: define internal void @edge.whole(
// CHECK: %any = icmp ne i8
// CHECK: br i1 %any
// CHECK: call void @llvm.masked.store

kernel void half_of_them(global float* a, int half_way) {
  int x = get_global_id(0);
  a[x + half_way] = 1;
  if (x < half_way)
    a[x] = 0;
}
// CHECK-LABEL: define internal void @half_of_them.whole(
// CHECK-NOT: br i1
// CHECK: call void @llvm.masked.store
