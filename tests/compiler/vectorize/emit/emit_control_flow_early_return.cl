// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// Work-items that return early are masked out until the only return of the function.
kernel void k(global int* a) {
  size_t i = get_global_id(0);
  if (a[i] == 0)
    return;
  a[i] = 7;
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[GONE:%.*]] = icmp eq <8 x i32> %{{.*}}, zeroinitializer
// CHECK: [[LEFT:%.*]] = xor <8 x i1> [[GONE]], splat (i1 true)
// CHECK: call void @llvm.masked.store.v8i32{{.*}}(<8 x i32> splat (i32 7)
// CHECK: ret void
// CHECK-NOT: ret void
// CHECK: }
