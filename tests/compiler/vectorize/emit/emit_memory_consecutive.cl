// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// Consecutive addresses: one vector load and one vector store at lane 0's address.
kernel void k(global int* a, global int* b) {
  size_t i = get_global_id(0);
  a[i] = b[i + 5];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[X:%.*]] = load <8 x i32>, ptr addrspace(1) %{{.*}}, align 1
// CHECK: store <8 x i32> [[X]], ptr addrspace(1) %{{.*}}, align 1
// CHECK-NOT: gather
// CHECK: ret void
