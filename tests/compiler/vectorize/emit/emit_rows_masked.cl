// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --rows=2 --cpu=x86-64-v4 | FileCheck %s
// A row that takes another way than its neighbor: what it accesses by scalar instructions does not count, and values
// that meet again are those of its own way.

// CHECK-LABEL: define internal void @ways.block(
// CHECK: store <8 x float>
// CHECK: store <8 x float>
// CHECK: ret void
// CHECK: select i1 %{{.*}}, ptr addrspace(1) %{{.*}}, ptr addrspace(1) @heddle.inactive.1
// CHECK-NEXT: load float, ptr addrspace(1)
// CHECK: select i1 %{{.*}}, ptr addrspace(1) %{{.*}}, ptr addrspace(1) @heddle.inactive.1
// CHECK-NEXT: load float, ptr addrspace(1)
// CHECK: select i1 %{{.*}}, float
// CHECK: select i1 %{{.*}}, float
// CHECK: }
kernel void ways(global float* out, global const float* in, global const float* rows, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float factor = 2;
  if (y < n)
    factor = rows[y];
  out[y * 64 + x] = in[y * 64 + x] * factor;
}

// One store for each row.
// CHECK-LABEL: define internal void @stores.block(
// CHECK: select i1 %{{.*}}, ptr addrspace(1) %{{.*}}, ptr addrspace(1) %{{.*}}
// CHECK-NEXT: store i32
// CHECK: select i1 %{{.*}}, ptr addrspace(1) %{{.*}}, ptr addrspace(1) %{{.*}}
// CHECK-NEXT: store i32
// CHECK: }
kernel void stores(global int* out, global int* rows, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * 64 + x] = x;
  if (y & n)
    rows[y] = y;
  out[y * 64 + x + 8] = y;
}

// What is the same in all rows is stored once, by a row that takes part; but where lanes have values of their own, or
// addresses, each row stores under its mask.
// CHECK-LABEL: define internal void @same.block(
// CHECK: store i32 7, ptr addrspace(1) %flags
// CHECK-COUNT-2: call void @llvm.masked.store
// CHECK: }
kernel void same(global int* out, global int* flags, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * 64 + x] = x;
  if (y == n)
    flags[0] = 7;
  if (y == n + 2)
    flags[x + 32] = x;
}

// Not for loops that rows leave one after the other, nor for copies, nor for divisions, which would trap.
// CHECK-NOT: @loops.block(
// CHECK-NOT: @copies.block(
// CHECK-NOT: @divisions.block(
kernel void loops(global float* out, global const float* in) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < y; ++k)
    sum += in[k * 64 + x];
  out[y * 64 + x] = sum;
}
typedef struct { int a[40]; } Row;
kernel void copies(global int* out, global Row* to, global const Row* from, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * 64 + x] = x;
  if (y == n)
    to[y] = from[y];
}
kernel void divisions(global int* out, global const int* rows, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  int part = 0;
  if (y & 1)
    part = n / rows[y];
  out[y * 64 + x] = x + part;
}
