// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
kernel void scale(global int* x, int factor) { x[get_global_id(0)] *= factor; }
kernel void add(global int* to, global const int* a, global const int* b) {
  size_t i = get_global_id(0);
  to[i] = a[i] + b[i];
}
