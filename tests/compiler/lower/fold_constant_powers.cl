// RUN: %heddlec %s --stage=fold-constant-powers | FileCheck %s
// Powers with small integers become products, and those with a half square roots.

// CHECK-LABEL: define {{.*}} @square(
// CHECK: call spir_func float @_Z4pownfi(float {{.*}}, i32 2)
float square(float x) { return pow(x, 2); }

// CHECK-LABEL: define {{.*}} @inverse(
// CHECK: call spir_func <4 x double> @_Z4pownDv4_dDv4_i(<4 x double> {{.*}}, <4 x i32> splat (i32 -1))
double4 inverse(double4 x) { return pow(x, -1.0); }

// CHECK-LABEL: define {{.*}} @root(
// CHECK: [[ROOT:%.*]] = call spir_func float @_Z4sqrtf(float [[X:%.*]])
// CHECK: [[POSITIVE:%.*]] = call float @llvm.fabs.f32(float [[ROOT]])
// CHECK: [[LOWEST:%.*]] = fcmp oeq float [[X]], 0xFFF0000000000000
// CHECK: select i1 [[LOWEST]], float 0x7FF0000000000000, float [[POSITIVE]]
float root(float x) { return pow(x, 0.5f); }

// CHECK-LABEL: define {{.*}} @others(
// CHECK: call spir_func <2 x float> @_Z3powDv2_fS_(
// CHECK: call spir_func float @_Z3powff(float {{.*}}, float {{.*}}2.500000e+00)
// CHECK: call spir_func float @_Z3powff(float {{.*}}, float {{.*}}9.000000e+00)
// CHECK: call spir_func float @_Z3powff(
float others(float x, float y, float2* z) {
  *z = pow(*z, (float2)(2, 3));
  return pow(x, 2.5f) + pow(x, 9) + pow(x, y);
}

kernel void k(global float* a, global double4* b) {
  a[0] = square(a[0]);
  b[0] = inverse(b[0]);
  float2 z = root(a[1]);
  a[1] = others(a[2], a[3], &z) + z.x;
}
