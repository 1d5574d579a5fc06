// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 --first --width=8 --stage=vectorize %s | FileCheck %s
// RUN: %heddlec --cpu=x86-64-v4 --width=8 --stage=vectorize %s | FileCheck %s --check-prefix=LATER
// In first units, several copies of a math function stay calls of its vector form, unless a loop repeats them, their
// arguments are constants, or they are few instructions.

// CHECK-LABEL: define internal void @straight.whole(
// CHECK-COUNT-4: call <8 x float> @_Z3sinf.lanes8(
// CHECK-NOT: lanes8
// CHECK-LABEL: define internal void @straight.tail(
// CHECK-COUNT-4: call <8 x float> @_Z3sinf.lanes8(
// CHECK-NOT: call {{.*}}lanes8
// CHECK-LABEL: define internal void @loops.whole(
// CHECK-NOT: lanes8
// CHECK-LABEL: define internal void @alone.whole(
// CHECK-NOT: lanes8
// CHECK-LABEL: define internal void @constants.whole(
// CHECK-NOT: lanes8
// LATER-NOT: lanes8
kernel void straight(global float4* a) { a[get_global_id(0)] = sin(a[get_global_id(0)]); }
kernel void loops(global float4* a, int n) {
  for (int i = 0; i < n; ++i)
    a[get_global_id(0)] = cos(a[get_global_id(0)]);
}
kernel void alone(global float* a) {
  size_t i = get_global_id(0);
  a[i] = log(a[i]) + fabs(a[i + 1]) + fabs(a[i + 2]) + fabs(a[i + 3]);
}
kernel void constants(global float* a) {
  size_t i = get_global_id(0);
  a[i] = pow(a[i], 1.5f) * pow(a[i + 1], 2.5f) + pow(a[i + 2], 3.5f);
}
