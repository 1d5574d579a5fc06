// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s

// A 32-bit division by a varying divisor is one of doubles. Zero divisors of inactive lanes are
// replaced, though the program's own have been (lower/guard_division.h).
kernel void quotients(global int* a, global const int* b) {
  size_t i = get_global_id(0);
  a[i] = a[i] / b[i];
}
// CHECK-LABEL: define internal void @quotients.whole(
// CHECK: icmp eq <8 x i32> %{{.*}}, zeroinitializer
// CHECK: select <8 x i1> %{{.*}}, <8 x i32> splat (i32 1), <8 x i32> %
// CHECK: [[ZERO:%.*]] = icmp eq <8 x i32> [[DIVISOR:%[0-9]+]], zeroinitializer
// CHECK-NEXT: [[SAFE:%.*]] = select <8 x i1> [[ZERO]], <8 x i32> splat (i32 1), <8 x i32> [[DIVISOR]]
// CHECK: [[REAL:%.*]] = sitofp <8 x i32> [[SAFE]] to <8 x double>
// CHECK: [[Q:%.*]] = fdiv <8 x double> %{{.*}}, [[REAL]]
// CHECK: fptosi <8 x double> [[Q]] to <8 x i32>
// CHECK-NOT: sdiv
// CHECK: ret void

// One of shorts is exact in single precision.
kernel void short_quotients(global ushort* a, global const ushort* b) {
  size_t i = get_global_id(0);
  a[i] = (ushort)(a[i] % b[i]);
}
// CHECK-LABEL: define internal void @short_quotients.whole(
// CHECK: fdiv <8 x float>
// CHECK: fptoui <8 x float> %{{.*}} to <8 x i16>
// CHECK-NOT: urem
// CHECK: ret void

// A division by a constant is left to LLVM, which multiplies.
kernel void sevenths(global int* a) {
  size_t i = get_global_id(0);
  a[i] = a[i] / 7;
}
// CHECK-LABEL: define internal void @sevenths.whole(
// CHECK-NOT: fdiv
// CHECK: sdiv <8 x i32> %{{.*}}, splat (i32 7)
