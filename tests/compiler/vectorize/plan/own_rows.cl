// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s
// RUN: %heddlec --cpu=x86-64-v4 --width=32 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=REQUESTED
// Few lanes, where each has a cache line of its own that its next iterations need.
// REQUESTED-NOT: cache lines of its own

// CHECK: kernel 'sum': 8 work-items wide: {{.*}}; few, since each has cache lines of its own{{$}}
kernel void sum(global const float* a, global float* out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += a[i * n + j];
  out[i] = s;
}

// One of three accesses is not in such a row, and steps need not be single elements.
// CHECK: kernel 'rows': 8 work-items wide: {{.*}}; few, since each has cache lines of its own{{$}}
kernel void rows(global const float* a, global const float* b, global float* out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += a[i * n + 2 * j] * b[i * 1000 + j] + b[j * n + i];
  out[i] = s;
}

// By a pointer, several elements at a time, backwards, and in a ring.
// CHECK: kernel 'by_pointer': 8 work-items wide: {{.*}}; few, since each has cache lines of its own{{$}}
kernel void by_pointer(global const float* a, global float* out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (global const float* p = a + i * n; n > 0; --n)
    s += *p++;
  out[i] = s;
}

// CHECK: kernel 'by_lines': 8 work-items wide: {{.*}}; few, since each has cache lines of its own{{$}}
kernel void by_lines(global const float* a, global float* out, int n) {
  int i = get_global_id(0);
  float s = 0;
#define TWO(k) s += a[i * n + j + (k)] * a[i * n + j + (k) + 1]
  for (int j = 0; j < n; j += 16) {
    TWO(0), TWO(2), TWO(4), TWO(6), TWO(8), TWO(10), TWO(12), TWO(14);
  }
  out[i] = s;
}

// CHECK: kernel 'backwards': 8 work-items wide: {{.*}}; few, since each has cache lines of its own{{$}}
kernel void backwards(global const float* a, global float* out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = n - 1; j >= 0; --j)
    s += a[i * n + j];
  out[i] = s;
}

// CHECK: kernel 'ring': 8 work-items wide: {{.*}}; few, since each has cache lines of its own{{$}}
kernel void ring(global const float* a, global float* out, int n, int size) {
  int i = get_global_id(0), j = i * n;
  float s = 0;
  for (int k = 0; k < n; ++k) {
    s += a[j];
    j = (j + 1) & (size - 1);
  }
  out[i] = s;
}

// A search waits for what it loads.
// CHECK: kernel 'search':
// CHECK-NOT: cache lines of its own
kernel void search(global const float* a, global int* out, int n) {
  int i = get_global_id(0), j = 0;
  while (a[i * n + j] < 0)
    ++j;
  out[i] = j;
}

// The lanes' addresses are consecutive.
// CHECK: kernel 'columns':
// CHECK-NOT: cache lines of its own
kernel void columns(global const float* a, global float* out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += a[j * n + i];
  out[i] = s;
}

// Each iteration needs another line.
// CHECK: kernel 'lines':
// CHECK-NOT: cache lines of its own
kernel void lines(global const float* a, global float* out, int n, int m) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += a[i * m + j * 16];
  out[i] = s;
}

// Two of three are consecutive.
// CHECK: kernel 'mixed':
// CHECK-NOT: cache lines of its own
kernel void mixed(global const float* a, global const float* b, global float* out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += a[i * n + j] * b[j * n + i] + b[j * n + n + i];
  out[i] = s;
}

// Without a loop, no row is walked.
// CHECK: kernel 'far':
// CHECK-NOT: cache lines of its own
kernel void far(global const float* a, global float* out, int n) {
  int i = get_global_id(0);
  out[i] = a[i * n];
}

// Sub-groups wait for each other, so that the fewer there are the better.
// CHECK: kernel 'barriers':
// CHECK-NOT: cache lines of its own
kernel void barriers(global const float* a, global float* out, int n, local float* tile) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += a[i * n + j];
  tile[get_local_id(0)] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[get_local_size(0) - 1 - get_local_id(0)];
}

// As many in a group of one row, which could have 64.
// CHECK: kernel 'product': 8 work-items wide: {{.*}}; few, since each has cache lines of its own{{$}}
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
product(global const float* a, global float* c, int n, int m) {
  int j = get_global_id(0), i = get_global_id(1);
  float s = 0;
  for (int k = 0; k < m; ++k)
    s += a[i * m + k] * a[j * m + k];
  c[i * n + j] = s;
}

// Rows that run side by side share what they gather, and compute much with it.
// CHECK: kernel 'shared': 16 work-items wide: {{.*}}; few, since each has cache lines of its own, but a full register, since its rows share these; 4 sub-groups side by side{{$}}
kernel __attribute__((reqd_work_group_size(64, 4, 1))) void
shared(global const float* a, global float* c, int n, int m) {
  int j = get_global_id(0), i = get_global_id(1);
  float s = 0;
  for (int k = 0; k < m; ++k)
    s += a[i * m + k] * a[j * m + k];
  c[i * n + j] = s;
}

// In groups of an unknown size, which may be narrower than a register.
// CHECK: kernel 'any_groups': 8 work-items wide: {{.*}}; few, since each has cache lines of its own; {{[0-9]}} sub-groups side by side{{$}}
kernel void any_groups(global const float* a, global float* c, int n, int m) {
  int j = get_global_id(0), i = get_global_id(1);
  float s = 0;
  for (int k = 0; k < m; ++k)
    s += a[i * m + k] * a[j * m + k];
  c[i * n + j] = s;
}

// No instruction gathers shorts.
// CHECK: kernel 'shorts': 8 work-items wide: {{.*}}; few, since each has cache lines of its own; 4 sub-groups side by side{{$}}
kernel __attribute__((reqd_work_group_size(64, 4, 1))) void
shorts(global const short* a, global short* c, int n, int m) {
  int j = get_global_id(0), i = get_global_id(1);
  short s = 0;
  for (int k = 0; k < m; ++k)
    s += a[i * m + k] * a[j * m + k];
  c[i * n + j] = s;
}

// Each work-item has a row of its own in both dimensions.
// CHECK: kernel 'distinct': 8 work-items wide: {{.*}}; few, since each has cache lines of its own{{$}}
kernel __attribute__((reqd_work_group_size(64, 4, 1))) void
distinct(global const float* a, global float* c, int n, int m) {
  int j = get_global_id(0), i = get_global_id(1);
  float s = 0;
  for (int k = 0; k < m; ++k)
    s += a[(i * n + j) * m + k];
  c[i * n + j] = s;
}

// Groups that are narrower than a register.
// CHECK: kernel 'narrow': 8 work-items wide: {{.*}}; few, since each has cache lines of its own; {{[0-9]}} sub-groups side by side{{$}}
kernel __attribute__((reqd_work_group_size(8, 8, 1))) void
narrow(global const float* a, global float* c, int n, int m) {
  int j = get_global_id(0), i = get_global_id(1);
  float s = 0;
  for (int k = 0; k < m; ++k)
    s += a[i * m + k] * a[j * m + k];
  c[i * n + j] = s;
}

// The private array has been laid out for the lanes that the sizes of elements ask for.
// CHECK: kernel 'stored': 16 work-items wide:
// CHECK-NOT: cache lines of its own
kernel void stored(global const char2* values, global const uint* at, global char* out, uint n) {
  char array[128], sum = 0;
  uint i = get_global_id(0), first = at[i];
  vstore2(values[i], first, array);
  for (uint j = 0; j < n; ++j)
    out[2 * first + j] = sum ^= array[2 * first + j];
}

// Each store is to another line, in each lane and in each iteration.
// CHECK: kernel 'far_stores': 8 work-items wide: {{.*}}; few, since each has cache lines of its own{{$}}
kernel void far_stores(global float* out, global const float* in, int n, int apart) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j)
    out[(i * n + j) * apart] = in[i] + j;
}

// CHECK: kernel 'transposed': 8 work-items wide: {{.*}}; few, since each has cache lines of its own; 8 sub-groups side by side{{$}}
kernel void transposed(global float* out, global const float* in, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[y * n + x] + 1;
}

// Far apart, but two of three accesses are not.
// CHECK: kernel 'seldom_far':
// CHECK-NOT: cache lines of its own
kernel void seldom_far(global float* out, global const float* in, int n) {
  int i = get_global_id(0);
  out[i * n] = in[i] + in[n + i] + in[2 * n + i];
}
