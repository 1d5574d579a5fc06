// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// An atomic exchange is scalarized; its operands stay vectors.
kernel void k(global int* a, global int* b) {
  size_t i = get_global_id(0);
  b[i] = atomic_xchg(&a[b[i] & 3], 7);
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: and <8 x i32>
// CHECK-COUNT-8: atomicrmw {{.*}}xchg ptr addrspace(1) %{{.*}}, i32 7
// CHECK-NOT: atomicrmw
// CHECK: store <8 x i32> %{{.*}}, ptr addrspace(1)
