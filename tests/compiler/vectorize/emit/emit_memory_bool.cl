// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A bool is an i8 in memory and an i1 in registers.
kernel void k(global bool* a, global int* b) {
  size_t i = get_global_id(0);
  a[i] = b[i] > 5 && b[i] < 100;
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[B:%.*]] = icmp ult <8 x i32> %{{.*}}, splat (i32 94)
// CHECK: [[BYTES:%.*]] = zext <8 x i1> [[B]] to <8 x i8>
// CHECK: store <8 x i8> [[BYTES]], ptr addrspace(1)
