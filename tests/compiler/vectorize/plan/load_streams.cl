// RUN: %heddlec --cpu=znver5 %s -- -heddle-explain 2>&1 | FileCheck %s
// Lanes are as many as the registers hold where a work-item loads from more pages than prefetchers follow.
#define GROUPS __attribute__((reqd_work_group_size(256, 1, 1)))
#define PLANES(k) in[i + (k) * N] * w + in[i + (k + 1) * N] * v + in[i + (k + 2) * N] * w + in[i + (k + 3) * N] * v

// CHECK: kernel 'sixteen': 64 work-items wide: {{.*}}; more, since they load from many places{{$}}
#define N 4096
kernel GROUPS void sixteen(global double* out, global const double* in, double w, double v) {
  size_t i = get_global_id(0);
  out[i] = PLANES(0) + PLANES(4) + PLANES(8) + PLANES(12);
}

// Few planes.
// CHECK: kernel 'eight': 16 work-items wide:
kernel GROUPS void eight(global double* out, global const double* in, double w, double v) {
  size_t i = get_global_id(0);
  out[i] = PLANES(0) + PLANES(4);
}

// Stores to as many.
// CHECK: kernel 'stores': 16 work-items wide:
kernel GROUPS void stores(global double* out, global const double* in, double w, double v) {
  size_t i = get_global_id(0);
  out[i] = PLANES(0);
  out[i + N] = PLANES(4);
  out[i + 2 * N] = PLANES(8);
  out[i + 3 * N] = PLANES(12);
}

// Neighbors in a page or two.
#undef N
#define N 8
// CHECK: kernel 'neighbors': 16 work-items wide:
kernel GROUPS void neighbors(global double* out, global const double* in, double w, double v) {
  size_t i = get_global_id(0);
  out[i] = PLANES(0) + PLANES(4) + PLANES(8) + PLANES(12);
}
