// RUN: %heddlec %s --time-passes=2 2>&1 | FileCheck %s
// RUN: %heddlec %s --time-passes=2 --first 2>&1 | FileCheck %s --check-prefix=FIRST
// Units that others replace where launches take long are built without loop strength reduction.
// CHECK: Loop Strength Reduction
// FIRST-NOT: Loop Strength Reduction
// FIRST-NOT: Canonicalize Freeze
kernel void sums(global float* out, global const float* in, uint n, uint step) {
  float sum = 0;
  for (uint k = 0; k < n; ++k)
    sum += in[k * step + get_global_id(0)];
  out[get_global_id(0)] = sum;
}
