// RUN: %heddlec %s --stage=frontend | FileCheck %s
// RUN: %heddlec %s --stage=frontend -- -cl-std=CLC++2021 | FileCheck %s
// RUN: %heddlec %s --stage=frontend -- -DOWN | FileCheck %s --check-prefix=OWN
// RUN: %heddlec %s --stage=frontend -- "-Dvloada_half(i, p)=(1.0f)" | FileCheck %s --check-prefix=MACRO
// vloada_half and vstorea_half of one half, which OpenCL C does not list, are vload_half and vstore_half, unless the
// program has its own.
#ifdef OWN
float vloada_half(size_t i, global const half* p) { return 2.0f; }
void vstorea_half_rtz(float x, size_t i, global half* p) {}
#endif

// CHECK-LABEL: @{{.*}}k(
// CHECK: call spir_func {{.*}}float @_Z10vload_halfmPU3AS{{[124]}}KDh(
// CHECK: call spir_func {{.*}}float @_Z10vload_halfmPU3AS{{[124]}}KDh(
// CHECK: call spir_func void @_Z11vstore_halffmPU3AS{{[124]}}Dh(
// CHECK: call spir_func void @_Z15vstore_half_rtzfmPU3AS{{[124]}}Dh(
// CHECK: call spir_func {{.*}}<4 x float> @_Z12vloada_half4mPU3AS{{[124]}}KDh(
// OWN-LABEL: @k(
// OWN: call spir_func {{.*}}float @vloada_half(
// OWN-NOT: vstore_half_rtz
// OWN: call spir_func void @vstorea_half_rtz(
// MACRO-NOT: vload_half
kernel void k(global const half* in, constant half* table, global half* out) {
  float x = vloada_half(1, in);
#ifndef OWN
  x += vloada_half(2, table);
#endif
  vstorea_half(x, 3, out);
  vstorea_half_rtz(x, 4, out);
  vstore_half(vloada_half4(0, in).x, 5, out);
}
