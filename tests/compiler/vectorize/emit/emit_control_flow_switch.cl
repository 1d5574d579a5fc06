// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s
// A divergent switch becomes comparisons; each case runs under a mask.
kernel void k(global int* a, global int* b) {
  size_t i = get_global_id(0);
  switch (a[i]) {
  case 1: b[i] = 10; break;
  case 5: b[2 * i] = 20; break;
  case 90: a[i] = 30; break;
  }
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK-NOT: switch
// CHECK-DAG: icmp eq <8 x i32> [[A:%.*]], splat (i32 90)
// CHECK-DAG: call void @llvm.masked.store.v8i32{{.*}}(<8 x i32> splat (i32 30)
// CHECK-DAG: icmp eq <8 x i32> [[A]], splat (i32 5)
// CHECK-DAG: call void @llvm.masked.store.v16i32
// CHECK-DAG: icmp eq <8 x i32> [[A]], splat (i32 1)
// CHECK-DAG: call void @llvm.masked.store.v8i32{{.*}}(<8 x i32> splat (i32 10)
// CHECK: ret void
