// REQUIRES: x86
// RUN: %heddlec %s --cpu=x86-64-v3 -- -heddle-explain 2>&1 | FileCheck %s
// Elements of a lane's own row that are next to each other are loaded together, and are no reason for scalar code.
constant float rows[16][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
kernel void near(global float* out, global const float* in, float step, uint n) {
  float x = in[get_global_id(0)], sum = 0;
  for (uint i = 0; i < n; ++i, x += step) {
    constant float* row = rows[(uint)x & 15];
    sum += row[0] + x * (row[1] + x * (row[2] + x * row[3]));
  }
  out[get_global_id(0)] = sum;
}
// CHECK: kernel 'near': {{8|16}} work-items wide
kernel void apart(global float* out, global const float* in, float step, uint n) {
  float x = in[get_global_id(0)], sum = 0;
  for (uint i = 0; i < n; ++i, x += step) {
    constant float* column = &rows[0][(uint)x & 3];
    sum += column[0] + x * (column[8] + x * (column[16] + x * column[24]));
  }
  out[get_global_id(0)] = sum;
}
// CHECK: kernel 'apart': 1 work-item wide: its loops mostly gather
