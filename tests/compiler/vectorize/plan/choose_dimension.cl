// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 --dimension-by-strides %s -- -heddle-explain -cl-std=CL3.0 -DCOLUMNS 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: %heddlec --cpu=x86-64-v4 --dimension-by-strides %s -- -heddle-explain -cl-std=CL3.0 -DNARROWED 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: %heddlec --cpu=x86-64-v4 --dimension-by-strides %s -- -heddle-explain -cl-std=CL3.0 -DIN_LOOP 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: %heddlec --cpu=x86-64-v4 --dimension-by-strides --local=64x1x1 %s -- -heddle-explain -cl-std=CL3.0 -DCOLUMNS 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: %heddlec --cpu=x86-64-v4 --dimension-by-strides --local=64x1x1 %s -- -heddle-explain -cl-std=CL3.0 -DSHOWS_GROUPS 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain -cl-std=CL3.0 -DCOLUMNS 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: %heddlec --cpu=x86-64-v4 --dimension-by-strides %s -- -heddle-explain -cl-std=CL3.0 -DROWS 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: %heddlec --cpu=x86-64-v4 --dimension-by-strides %s -- -heddle-explain -cl-std=CL3.0 -DTRANSPOSED 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: %heddlec --cpu=x86-64-v4 --dimension-by-strides %s -- -heddle-explain -cl-std=CL3.0 -DBOTH_FAR 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: %heddlec --cpu=x86-64-v4 --dimension-by-strides %s -- -heddle-explain -cl-std=CL3.0 -DSUB_GROUPS 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: %heddlec --cpu=x86-64-v4 --dimension-by-strides %s -- -heddle-explain -cl-std=CL3.0 -DONE_DIMENSION 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: %heddlec --cpu=x86-64-v4 --dimension-by-strides %s -- -heddle-explain -cl-std=CL3.0 -DFLAT 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: %heddlec --cpu=x86-64-v4 --dimension-by-strides %s -- -heddle-explain -cl-opt-disable -DCOLUMNS 2>&1 | FileCheck %s --check-prefix=FIRST
// Lanes run along the dimension in which accesses are consecutive.
// SECOND: kernel 'k': {{[0-9]+}} work-items wide: {{.*}}; lanes run along the second dimension
// FIRST: kernel 'k':
// FIRST-NOT: second dimension

#ifdef COLUMNS
kernel void k(global const float* a, global float* out, ulong n) {
  size_t x = get_global_id(0), y = get_global_id(1);
  out[n * x + y] = a[n * x + y] * 2;
}
#endif

// In groups of one row, those that follow each other in the second dimension run as one.
#ifdef SHOWS_GROUPS
kernel void k(global const float* a, global float* out, ulong n) {
  size_t x = get_global_id(0), y = get_global_id(1);
  out[n * x + y] = a[n * x + y] * get_group_id(1);
}
#endif

#ifdef NARROWED
kernel void k(global const float* a, global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < n && y < n)
    out[n * x + y] = a[n * x + min(y + 1, n - 1)];
}
#endif

// What loops access counts more than the store behind them.
#ifdef IN_LOOP
kernel void k(global const float* a, global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += a[(n * x + i) * 64 + y];
  out[n * y + x] = s;
}
#endif

#ifdef ROWS
kernel void k(global const float* a, global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[n * y + x] = a[n * y + x] * 2;
}
#endif

// As much of one as of the other.
#ifdef TRANSPOSED
kernel void k(global const float* a, global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[n * x + y] = a[n * y + x];
}
#endif

#ifdef BOTH_FAR
kernel void k(global const float* a, global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[n * x + 100 * y] = a[n * x + 100 * y];
}
#endif

// Programs can tell which work-items are a sub-group.
#ifdef SUB_GROUPS
kernel void k(global const int* a, global int* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[n * x + y] = a[n * x + y] + get_sub_group_local_id();
}
#endif

#ifdef ONE_DIMENSION
kernel void k(global const float* a, global float* out, int n) {
  int x = get_global_id(0);
  out[n * x] = a[n * x];
}
#endif

// There is one second id in a group.
#ifdef FLAT
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(global const float* a, global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[n * x + y] = a[n * x + y] * 2;
}
#endif
