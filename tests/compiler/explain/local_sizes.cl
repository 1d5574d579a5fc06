// RUN: %heddlec --cpu=x86-64-v4 --local=64x4 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s --check-prefix=FLAT
// RUN: %heddlec --cpu=x86-64-v4 --local=8x8 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: %heddlec --cpu=x86-64-v4 --local=16x16 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s --check-prefix=SQUARE
// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s --check-prefix=ANY
// Sub-groups and rows side by side that fit the groups of a known local size.

// ANY: kernel 'product': 16 work-items wide: {{.*}}; 8 sub-groups side by side{{$}}
// SQUARE: kernel 'product': 16 work-items wide: {{.*}}; 8 sub-groups side by side; for groups of 16x16x1
// NARROW: kernel 'product': 8 work-items wide: {{.*}}; no more than its groups have side by side; 8 sub-groups side by side; for groups of 8x8x1
// FLAT: kernel 'product': {{32|64}} work-items wide: {{.*}}; twice as many, since its groups have few rows; {{.*}}4 sub-groups side by side; for groups of 64x4x1
kernel void product(global const float* a, global const float* b, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}

// Lanes that cross rows load more at once than four of a row.
// ANY: kernel 'columns': 16 work-items wide
// NARROW: kernel 'columns': 8 work-items wide
kernel void columns(global const float* a, global const float* b, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * n + x] * b[k];
  c[y * n + x] = s;
}

// The program can see the size of sub-groups, which is the same in all units.
// ANY: kernel 'visible': 32 work-items wide
// NARROW: kernel 'visible': 32 work-items wide
kernel void visible(global uint* c) {
  c[get_global_id(1) * 64 + get_global_id(0)] = get_sub_group_size();
}

// A kernel that requires another size.
// FLAT: kernel 'other': 16 work-items wide: {{[^;]*$}}
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void other(global float* c, float s) {
  c[get_global_id(0)] = s;
}

// Groups of one row run as one, which has room for more lanes than a group.
// ANY: kernel 'narrow': 64 work-items wide: {{.*}}; more, since they walk down neighboring columns{{$}}
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void
narrow(global const float* a, global float* out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += a[j * n + i];
  out[i] = s;
}
