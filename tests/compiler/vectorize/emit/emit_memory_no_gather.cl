// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v3 | FileCheck %s
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s --check-prefix=NATIVE
// Accesses for which the CPU has no gather or scatter are one access per lane; under a mask LLVM
// expands the intrinsic. Indices of 32 bits are not extracted from their vector in pairs: LLVM 22
// forgets the upper half.
kernel void words(global int* a, global const int* to, global const int* table) {
  size_t i = get_global_id(0);
  a[to[i]] = table[to[i + 100]];
}
// CHECK-LABEL: define internal void @words.whole(
// CHECK-NOT: <4 x i64>
// CHECK-COUNT-8: load i32, ptr addrspace(1) %{{.*}}, align 1
// CHECK: store i32 %{{.*}}, ptr addrspace(1)
// CHECK-NOT: masked
// CHECK-LABEL: define internal void @words.tail(
// CHECK: call <8 x i32> @llvm.masked.gather
// NATIVE-LABEL: define internal void @words.whole(
// NATIVE: call <8 x i32> @llvm.masked.gather
// NATIVE: call void @llvm.masked.scatter

kernel void bytes(global uchar* a, global const int* at, global const uchar* table) {
  size_t i = get_global_id(0);
  a[i] = table[at[i]];
}
// NATIVE-LABEL: define internal void @bytes.whole(
// NATIVE-COUNT-8: load i8, ptr addrspace(1) %{{.*}}, align 1
// NATIVE-NOT: load i8
// NATIVE-NOT: call {{.*}}masked.gather
// NATIVE-LABEL: define internal void @bytes.tail(
