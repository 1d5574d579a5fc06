// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s
// RUN: %heddlec --cpu=x86-64-v3 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s
// RUN: %heddlec --cpu=x86-64-v3 %s -- -DFEWER -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s --check-prefixes=CHECK,FEWER
// RUN: %heddlec --cpu=x86-64-v3 --first %s -- -DFEWER -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s --check-prefixes=CHECK,FEWER
// RUN: %heddlec --cpu=x86-64-v4 --width=16 %s -- -DFEWER -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s --check-prefix=REQUESTED
// Vector code that accesses private memory lane by lane has as many instructions for each lane as scalar code. If it is
// long, it is not worth its build: the kernel stays scalar, and the others of the program do not.
// CHECK: kernel 'scattered': 1 work-item wide: its vector code of about {{[0-9]+}} instructions would take too long to compile
// Code of 4,000 instructions is long.
// FEWER: kernel 'shorter': 1 work-item wide: its vector code
// CHECK: kernel 'computed': {{8|16|32}} work-items wide
// CHECK: kernel 'short_one': {{8|16}} work-items wide
// What programs see of sub-groups is the same in all units, whose code differs in length.
// CHECK: kernel 'visible': {{8|16}} work-items wide
// Requested lanes are as many as are built in time. What programs require or see of sub-groups has no such limit.
// REQUESTED: kernel 'scattered': {{1 work-item|[248] work-items}} wide: with the 16 that HEDDLE_WIDTH requests, its vector code
// REQUESTED: kernel 'shorter': {{1 work-item|[248] work-items}} wide: with the 16 that HEDDLE_WIDTH requests, its vector code
// REQUESTED: kernel 'computed': 16 work-items wide
// REQUESTED: kernel 'short_one': 16 work-items wide
// REQUESTED: kernel 'visible': 16 work-items wide
// REQUESTED: kernel 'required': 8 work-items wide: the kernel's intel_reqd_sub_group_size

struct Mixed {
  char a;
  short b;
  int c;
  long d;
};

#define TWICE(x) x x
#define SOME(x) TWICE(TWICE(TWICE(TWICE(x))))
#ifdef FEWER
#define MANY(x) TWICE(SOME(x))
#else
#define MANY(x) TWICE(TWICE(SOME(x)))
#endif

#define SCATTER                                                                                                        \
  i = i * 5 + 1;                                                                                                       \
  s[i & 7].a += s[(i + j) & 7].b;                                                                                      \
  s[j & 7].c ^= s[i & 7].d;                                                                                            \
  s[(i ^ j) & 7].b -= s[j & 7].a;                                                                                      \
  j = j * 3 + s[(i >> 2) & 7].c;

kernel void scattered(global int* out, global const struct Mixed* in) {
  struct Mixed s[8];
  for (int n = 0; n < 8; ++n)
    s[n] = in[n];
  uint i = get_global_id(0), j = i * 7;
  MANY(SCATTER)
  out[get_global_id(0)] = s[i & 7].a + s[j & 7].c;
}

kernel void shorter(global int* out, global const struct Mixed* in) {
  struct Mixed s[8];
  for (int n = 0; n < 8; ++n)
    s[n] = in[n];
  uint i = get_global_id(0), j = i * 7;
  SOME(SCATTER)
  out[get_global_id(0)] = s[i & 7].a + s[j & 7].c;
}

// Long code without such accesses.
kernel void computed(global float* out, float f) {
  float a = get_global_id(0), b = a * f;
  MANY(MANY(a = a * b + f; b = b * b - a;))
  out[get_global_id(0)] = a + b;
}

kernel void short_one(global int* out, global const struct Mixed* in) {
  struct Mixed s[8];
  for (int n = 0; n < 8; ++n)
    s[n] = in[n];
  uint i = get_global_id(0), j = i * 7;
  SCATTER
  out[get_global_id(0)] = s[i & 7].a + s[j & 7].c;
}

kernel void visible(global int* out, global const struct Mixed* in) {
  struct Mixed s[8];
  for (int n = 0; n < 8; ++n)
    s[n] = in[n];
  uint i = get_global_id(0), j = sub_group_reduce_add(i);
  MANY(SCATTER)
  out[get_global_id(0)] = s[i & 7].a + s[j & 7].c;
}

kernel __attribute__((intel_reqd_sub_group_size(8))) void required(global int* out, global const struct Mixed* in) {
  struct Mixed s[8];
  for (int n = 0; n < 8; ++n)
    s[n] = in[n];
  uint i = get_global_id(0), j = i * 7;
  SOME(SCATTER)
  out[get_global_id(0)] = s[i & 7].a + s[j & 7].c;
}
