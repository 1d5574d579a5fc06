// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A 64-bit division: no lane traps, whether it is active or not.
kernel void k(global long* a, global long* b) {
  size_t i = get_global_id(0);
  a[i] = a[i] / b[i];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[ZERO:%.*]] = icmp eq <8 x i64> %{{.*}}, zeroinitializer
// CHECK: [[SAFE:%.*]] = select <8 x i1> %{{.*}}, <8 x i64> splat (i64 1), <8 x i64>
// CHECK: sdiv <8 x i64> %{{.*}}, %{{.*}}
// CHECK: store <8 x i64>
