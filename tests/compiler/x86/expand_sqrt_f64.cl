// RUN: %heddlec --width=16 --cpu=x86-64-v4 %s --stage=vectorize | FileCheck %s
// RUN: %heddlec --width=16 --cpu=x86-64-v3 %s --stage=vectorize | FileCheck %s --check-prefix=PLAIN
// Of two registers of square roots the divider makes one, and multiplications the other, unless it
// has numbers that are none, or near the ends of the range. Single precision stays as it is.
kernel void doubles(global double* a) {
  size_t i = get_global_id(0);
  a[i] = sqrt(a[i]);
}
// CHECK-LABEL: define internal void @doubles.whole(
// CHECK: call <8 x double> @llvm.sqrt.v8f64(
// CHECK: icmp ult <8 x i64>
// CHECK: call <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(
// CHECK-COUNT-6: call <8 x double> @llvm.fma.v8f64(
// CHECK: call <8 x double> @llvm.sqrt.v8f64(
// CHECK: phi <8 x double>
// CHECK: ret void
kernel void floats(global float* a) {
  size_t i = get_global_id(0);
  a[i] = sqrt(a[i]);
}
// CHECK-LABEL: define internal void @floats.whole(
// CHECK-NOT: rsqrt14
// CHECK: ret void
// PLAIN-LABEL: define internal void @doubles.whole(
// PLAIN: call <16 x double> @llvm.sqrt.v16f64(
