// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s
// RUN: %heddlec --cpu=x86-64-v4 --width=16 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=ASKED
// A row of a sparse matrix: each step of the loop gathers three times to multiply once.
kernel void sparse(global float* y, global const uint* starts, global const uint* columns,
                   global const float* values, global const float* x) {
  uint row = get_global_id(0);
  float sum = 0;
  for (uint i = starts[row]; i < starts[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}
// CHECK: kernel 'sparse': 1 work-item wide: its loops mostly gather, which scalar loads do faster
// ASKED: kernel 'sparse': 16 work-items wide: HEDDLE_WIDTH requests it
// Enough is computed with what is gathered.
kernel void table(global float* y, global const float* values, int steps) {
  size_t i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < steps; ++k)
    v = exp(v * values[(int)v & 255]) + log(v + 2.0f) * sqrt(v + 3.0f);
  y[i] = v;
}
// CHECK: kernel 'table': {{16|32}} work-items wide
// A pointer chase waits for memory in either form; gathers wait for many lanes at once.
kernel void chase(global uint* next, int steps) {
  uint at = get_global_id(0);
  for (int k = 0; k < steps; ++k)
    at = next[at];
  next[get_global_id(0) + 4096] = at;
}
// CHECK: kernel 'chase': {{16|32}} work-items wide
