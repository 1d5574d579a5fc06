// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v3 %s -- -heddle-explain 2>&1 | FileCheck %s
// What is hardly ever executed is no work that hides latency: rsqrt branches around a division and a
// square root for subnormal numbers.
// CHECK: kernel 'normalize': {{32|64}} work-items wide: {{.*}}; more, since they wait for their results{{$}}
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void normalize(global float4* out, int n, float shift) {
  float4 v = out[get_global_id(0)];
  for (int i = 0; i < n; ++i)
    v = v * rsqrt(v.x * v.x + v.y * v.y + v.z * v.z) + shift;
  out[get_global_id(0)] = v;
}
