// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=V4
// RUN: %heddlec --cpu=x86-64-v3 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=V3
// Lanes are as many as the registers hold where a work-item loads from more places than prefetchers
// follow.
#define GROUPS __attribute__((reqd_work_group_size(256, 1, 1)))
#define PLANES(k) in[i + (k) * N] * w + in[i + (k + 1) * N] * v + in[i + (k + 2) * N] * w + in[i + (k + 3) * N] * v

// V4: kernel 'sixteen': 64 work-items wide: {{.*}}; more, since they access many places{{$}}
// V3: kernel 'sixteen': 16 work-items wide: {{.*}}; more, since they access many places{{$}}
#define N 4096
kernel GROUPS void sixteen(global double* out, global const double* in, double w, double v) {
  size_t i = get_global_id(0);
  out[i] = PLANES(0) + PLANES(4) + PLANES(8) + PLANES(12);
}

// Few planes.
// V4: kernel 'eight': 16 work-items wide:
// V3: kernel 'eight': 8 work-items wide:
kernel GROUPS void eight(global double* out, global const double* in, double w, double v) {
  size_t i = get_global_id(0);
  out[i] = PLANES(0) + PLANES(4);
}

// Stores to as many.
// V4: kernel 'stores': 16 work-items wide:
// V3: kernel 'stores': 8 work-items wide:
kernel GROUPS void stores(global double* out, global const double* in, double w, double v) {
  size_t i = get_global_id(0);
  out[i] = PLANES(0);
  out[i + N] = PLANES(4);
  out[i + 2 * N] = PLANES(8);
  out[i + 3 * N] = PLANES(12);
}

// More than the first-level cache keeps, with little to compute: also where values are in memory then.
#define STORES(k) out[i + (k) * N] = PLANES(k), out[i + (k + 1) * N] = PLANES(k + 1)
// V4: kernel 'many': 64 work-items wide: {{.*}}; more, since they access many places{{$}}
// V3: kernel 'many': 32 work-items wide: {{.*}}; more, since they access many places{{$}}
kernel GROUPS void many(global double* restrict out, global const double* restrict in, double w, double v) {
  size_t i = get_global_id(0);
  STORES(0), STORES(4), STORES(8), STORES(12), STORES(16), STORES(20), STORES(24), STORES(28);
}

// So do the iterations of a loop.
// V4: kernel 'in_a_loop': 64 work-items wide: {{.*}}; more, since they access many places{{$}}
// V3: kernel 'in_a_loop': 32 work-items wide:
kernel GROUPS void in_a_loop(global double* restrict out, global const double* restrict in, double w) {
  size_t i = get_global_id(0);
#pragma unroll 1
  for (int k = 0; k < 22; ++k)
    out[i + k * N] = in[i + k * N] * w;
}

// The registers hold no more lanes of what a loop keeps.
// V4: kernel 'product': 16 work-items wide:
// V3: kernel 'product': 1 work-item wide:
kernel GROUPS void product(global float4* restrict out, global const float4* restrict a,
                           global const float4* restrict b) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float4 s = 0, t = 0, u = 0, v = 0;
  for (int k = 0; k < 100; ++k) {
    float4 x = a[k], y = b[k * n + i];
    s += x.x * y, t += x.y * y, u += x.z * y, v += x.w * y;
  }
  out[i] = s, out[n + i] = t, out[2 * n + i] = u, out[3 * n + i] = v;
}

// As many, but with more to compute for each than it waits.
#define LONG(k) out[i + (k) * N] = exp(in[i + (k) * N]) / log(in[i + (k) * N] * w)
// V4: kernel 'computes': 16 work-items wide:
// V3: kernel 'computes': 8 work-items wide:
kernel GROUPS void computes(global double* restrict out, global const double* restrict in, double w) {
  size_t i = get_global_id(0);
  LONG(0), LONG(1), LONG(2), LONG(3), LONG(4), LONG(5), LONG(6), LONG(7);
  LONG(8), LONG(9), LONG(10), LONG(11), LONG(12), LONG(13), LONG(14), LONG(15);
}

// Neighbors in a page or two.
#undef N
#define N 8
// V4: kernel 'neighbors': 16 work-items wide:
// V3: kernel 'neighbors': 8 work-items wide:
kernel GROUPS void neighbors(global double* out, global const double* in, double w, double v) {
  size_t i = get_global_id(0);
  out[i] = PLANES(0) + PLANES(4) + PLANES(8) + PLANES(12);
}
