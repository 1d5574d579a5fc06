// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v3 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefixes=CHECK,V4
// RUN: %heddlec --cpu=x86-64-v3 --width=8 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=REQUESTED
// RUN: %heddlec --cpu=x86-64-v3 %s --print-after=lower-fault-markers 2>&1 | FileCheck %s --check-prefix=CODE
// Scalar code for loops along rows of each work-item's own, whose iterations LLVM vectorizes.
// Rows are of a constant length: others are gathered by lanes, which costs too much in any case.
// REQUESTED-NOT: along rows

// CHECK: kernel 'stencil': 1 work-item wide: its loops run along rows of each work-item's own
// CODE-LABEL: define {{.*}}@stencil(
// CODE: load <8 x float>
kernel void stencil(global const float* in, global float* out, int n) {
  int i = get_global_id(0);
  for (int j = 1; j < n - 1; ++j)
    out[i * 100 + j] = 0.25f * (in[i * 100 + j - 1] + in[i * 100 + j + 1]) + 0.5f * in[i * 100 + j];
}

// In groups of one work-item, which run as one long row.
// CHECK: kernel 'single': 1 work-item wide: its loops run along rows of each work-item's own
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
single(global const double* in, global double* out, int n) {
  int i = get_global_id(0);
  for (int j = 1; j < n; ++j)
    for (int k = 1; k < n; ++k)
      out[(i * 100 + j) * 50 + k] = in[(i * 100 + j) * 50 + k] * in[(i * 100 + j - 1) * 50 + k];
}

// With a row in private memory, which has not been laid out for lanes.
// CHECK: kernel 'private_row': 1 work-item wide: its loops run along rows of each work-item's own
kernel void private_row(global const double* in, global double* out, int n) {
  int i = get_global_id(0);
  double row[64];
  for (int j = 0; j < n; ++j)
    row[j] = in[i * 100 + j] + in[(i + 1) * 100 + j];
  for (int j = 1; j < n - 1; ++j)
    out[i * 100 + j] = row[j - 1] + row[j + 1];
}

// Adjacent components fill registers as well as four lanes, not as well as eight.
// V3: kernel 'components': 1 work-item wide: its loops run along rows of each work-item's own
// V4: kernel 'components': 8 work-items wide: {{.*}}; few, since each has cache lines of its own{{$}}
kernel void components(global const double* in, global double* out, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j) {
    global const double* a = in + (i * 100 + j) * 3;
    global double* b = out + (i * 100 + j) * 3;
    b[0] = a[0] * 2 + a[1];
    b[1] = a[1] * 3 + a[2];
    b[2] = a[2] * 4 + a[0];
  }
}

// CHECK: kernel 'float_components': 8 work-items wide: {{.*}}; few, since each has cache lines of its own{{$}}
kernel void float_components(global const float* in, global float* out, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j) {
    global const float* a = in + (i * 100 + j) * 3;
    global float* b = out + (i * 100 + j) * 3;
    b[0] = a[0] * 2 + a[1];
    b[1] = a[1] * 3 + a[2];
    b[2] = a[2] * 4 + a[0];
  }
}

// Iterations wait for each other: lanes wait together.
// CHECK: kernel 'recurrence':
// CHECK-NOT: along rows
kernel void recurrence(global const double* in, global double* out, int n) {
  int i = get_global_id(0);
  double s = 0;
  for (int j = 0; j < n; ++j)
    out[i * 100 + j] = s = s * 0.5 + in[i * 100 + j];
}

// So they do if they wait for memory: LLVM does not vectorize the loop.
// CHECK: kernel 'behind': 8 work-items wide: {{.*}}; few, since each has cache lines of its own{{$}}
kernel void behind(global const float* in, global float* out, int n) {
  int i = get_global_id(0);
  for (int j = 3; j < n; ++j)
    out[i * 100 + j] = out[i * 100 + j - 3] * 0.5f + in[i * 100 + j];
}

// What an iteration updates is its own.
// CHECK: kernel 'in_place': 1 work-item wide: its loops run along rows of each work-item's own
kernel void in_place(global const float* in, global float* out, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j)
    out[i * 100 + j] += in[i * 100 + j + 1] * 0.5f;
}

// In other blocks, too.
// CHECK: kernel 'under_conditions': 1 work-item wide: its loops run along rows of each work-item's own
kernel void under_conditions(global const float* in, global float* out, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j) {
    float x = in[i * 100 + j];
    if (x > 0.5f)
      out[i * 100 + j] = x * x + 1;
    else
      out[i * 100 + j] = x - 0.25f * out[i * 100 + j];
  }
}

// A table in which neighbors are apart.
// CHECK: kernel 'table':
// CHECK-NOT: along rows
kernel void table(global const uint* in, global double* out, constant double* values, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j)
    out[i * 100 + j] = values[in[i * 100 + j] & 255];
}

// Stores alone are as fast from lanes.
// CHECK: kernel 'fill':
// CHECK-NOT: along rows
kernel void fill(global float* out, int n, float value) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j)
    out[i * 100 + j] = value + j;
}

// Where the loop ends depends on what it loads, too.
// CHECK: kernel 'two_ends':
// CHECK-NOT: along rows
kernel void two_ends(global const double* in, global double* out, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j) {
    if (in[i * 100 + j] < 0)
      break;
    out[i * 100 + j] = in[i * 100 + j];
  }
}

// CHECK: kernel 'update':
// CHECK-NOT: along rows
kernel void update(global const int* in, global int* out, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j)
    atomic_add(&out[i * 100 + j], in[i * 100 + j]);
}

// Sub-groups wait for each other, so that the fewer there are the better.
// CHECK: kernel 'barriers':
// CHECK-NOT: along rows
kernel void barriers(global const double* in, global double* out, int n, local double* tile) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j)
    out[i * 100 + j] = in[i * 100 + j] * 2;
  tile[get_local_id(0)] = in[i * 100];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i * 100 + 1] = tile[get_local_size(0) - 1 - get_local_id(0)];
}

// Down columns, which neighbors share.
// CHECK: kernel 'columns':
// CHECK-NOT: along rows
kernel void columns(global const double* in, global double* out, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j)
    out[j * n + i] = in[j * n + i] * 2;
}
