// REQUIRES: x86
// RUN: %heddlec %s --cpu=x86-64-v3 --width=32 --stage=vectorize | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: %heddlec %s --cpu=x86-64-v4 --width=32 --stage=vectorize | FileCheck %s --check-prefixes=CHECK,AVX512
// Shuffles by lanes that are known at run time, over several registers: each register of results is chosen from the
// permutations of all registers, so that no lane is extracted.
float __heddle_sub_group_shuffle_float(float value, uint lane);
double __heddle_sub_group_shuffle_double(double value, uint lane);
uchar __heddle_sub_group_shuffle_uchar(uchar value, uint lane);
// CHECK-LABEL: define internal void @words.whole(
// CHECK-NOT: extractelement <32 x
// AVX2-COUNT-16: call <8 x i32> @llvm.x86.avx2.permd(
// AVX512-COUNT-2: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
// CHECK-NOT: @llvm.x86
// CHECK-LABEL: define internal void @words.tail(
kernel void words(global float* a, global const uint* lanes) {
  size_t i = get_global_id(0);
  a[i] = __heddle_sub_group_shuffle_float(a[i], lanes[i]);
}
// Both halves of each element.
// CHECK-LABEL: define internal void @doubles.whole(
// CHECK-NOT: extractelement <32 x
// AVX2-COUNT-32: call <8 x i32> @llvm.x86.avx2.permd(
// AVX512-COUNT-4: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
// CHECK-NOT: @llvm.x86
// CHECK-LABEL: define internal void @doubles.tail(
kernel void doubles(global double* a, global const uint* lanes) {
  size_t i = get_global_id(0);
  a[i] = __heddle_sub_group_shuffle_double(a[i], lanes[i]);
}
// CHECK-LABEL: define internal void @bytes.whole(
// CHECK-NOT: extractelement <32 x
// AVX2-COUNT-16: call <8 x i32> @llvm.x86.avx2.permd(
// AVX512-COUNT-2: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
// CHECK: trunc <32 x i32> {{.*}} to <32 x i8>
kernel void bytes(global uchar* a, global const uint* lanes) {
  size_t i = get_global_id(0);
  a[i] = __heddle_sub_group_shuffle_uchar(a[i], lanes[i]);
}
