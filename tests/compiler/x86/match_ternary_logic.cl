// RUN: %heddlec %s --stage=optimize --width=32 --cpu=x86-64-v4 | FileCheck %s
// RUN: %heddlec %s --stage=optimize --width=8 --cpu=x86-64-v3 | FileCheck --check-prefix=AVX2 %s
// Three and more bitwise operations on three values are one instruction for each register.
kernel void majority(global uint* a, global const uint* b, global const uint* c) {
  size_t i = get_global_id(0);
  a[i] = (a[i] & b[i]) | (c[i] & (a[i] | b[i]));
}
// CHECK-LABEL: define internal void @majority(
// CHECK: call <16 x i32> @llvm.x86.avx512.pternlog.d.512({{.*}}, i32 232)
// CHECK: call <16 x i32> @llvm.x86.avx512.pternlog.d.512({{.*}}, i32 232)
// AVX2-NOT: pternlog

// One that is added to something is not taken apart into two sums.
kernel void chosen(global uint* a, global const uint* b, global const uint* c, uint d) {
  size_t i = get_global_id(0);
  a[i] = bitselect(a[i], b[i], c[i]) + b[i] + d;
}
// CHECK-LABEL: define internal void @chosen(
// CHECK: call <16 x i32> @llvm.x86.avx512.pternlog.d.512(

// Two operations LLVM finds itself; and what something else needs is not computed twice.
kernel void two(global uint* a, global const uint* b, global const uint* c) {
  size_t i = get_global_id(0);
  a[i] = a[i] & b[i] & c[i];
}
kernel void shared(global uint* a, global uint* b, global const uint* c) {
  size_t i = get_global_id(0);
  uint both = a[i] & b[i], some = c[i] & (a[i] | b[i]);
  a[i] = both | some;
  b[i] = both * some;
}
// CHECK-LABEL: define internal void @two(
// CHECK-NOT: call {{.*}}pternlog
// CHECK: {{^}}}
