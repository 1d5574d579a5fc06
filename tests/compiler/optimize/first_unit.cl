// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v3 --stage=optimize %s | FileCheck %s --check-prefix=LATER
// RUN: %heddlec --cpu=x86-64-v3 --first --stage=optimize %s | FileCheck %s --check-prefix=FIRST
// A kernel's first unit is built without unrolling loops.

// LATER-LABEL: define {{.*}}void @sum(
// LATER: unroll_iter
// FIRST-LABEL: define {{.*}}void @sum(
// FIRST-NOT: unroll_iter
kernel void sum(global const float* a, global float* out, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * get_global_id(0);
  out[get_global_id(0)] = s;
}
