// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 %s --stage=vectorize --width=8 | FileCheck %s
// A large constant stride: a load per lane at a constant offset from lane 0's address; under a mask
// a gather.
kernel void k(global int* a, global int* b) {
  size_t i = get_global_id(0);
  a[i] = b[100 * i];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: load i32, ptr addrspace(1) [[FIRST:%.*]], align 1
// CHECK: getelementptr i8, ptr addrspace(1) [[FIRST]], i64 400
// CHECK: load i32
// CHECK: getelementptr i8, ptr addrspace(1) [[FIRST]], i64 800
// CHECK-COUNT-6: load i32, ptr addrspace(1)
// CHECK-NOT: load i32
// CHECK: store <8 x i32>
// CHECK-LABEL: define internal void @k.tail(
// CHECK: @llvm.masked.gather.v8i32
