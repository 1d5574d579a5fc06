// RUN: %heddlec --cpu=x86-64-v4 --width=16 %s -- -heddle-explain 2>&1 | FileCheck %s --match-full-lines
kernel void spmv(global const int* rows, global const int* columns, global const float* values,
                 global const float* x, global float* y) {
  size_t row = get_global_id(0);
  float sum = 0;
  for (int j = rows[row]; j < rows[row + 1]; ++j)
    sum += values[j] * x[columns[j]];
  y[row] = sum;
}
// CHECK: {{.*}}gathers_and_scatters.cl:2: kernel 'spmv': 16 work-items wide: HEDDLE_WIDTH requests it
// CHECK-NEXT: {{.*}}gathers_and_scatters.cl:2: kernel 'spmv': barriers: none
// CHECK-NEXT: {{.*}}gathers_and_scatters.cl:2: kernel 'spmv': stack: {{[0-9]+}} bytes a sub-group; registers spilled: {{[0-9]+}} stores and {{[0-9]+}} loads in the whole of its code
// CHECK-NEXT: {{.*}}.cl:6:3: divergent branch: work-items take different branches: both sides run, one after the other, each under a mask
// CHECK-NEXT: {{.*}}.cl:6:3: divergent loop: work-items leave it here after different trip counts: it runs, under masks, until all have left
// CHECK-NEXT: {{.*}}.cl:7:12: gather: the address has no constant stride between work-items
// CHECK-NEXT: {{.*}}.cl:7:24: gather: the address has no constant stride between work-items
// CHECK-NEXT: {{.*}}.cl:7:26: gather: the address has no constant stride between work-items

kernel void permute(global const uint* to, global const float* from, global float* out) {
  size_t i = get_global_id(0);
  out[to[i]] = from[i * 100];
}
// CHECK-NEXT: {{.*}}.cl:[[#@LINE-4]]: kernel 'permute': 16 work-items wide: {{.*}}
// CHECK-NEXT: {{.*}}kernel 'permute': barriers: none
// CHECK-NEXT: {{.*}}kernel 'permute': stack: {{.*}}
// CHECK-NEXT: {{.*}}.cl:[[#@LINE-5]]:14: scatter: the address has no constant stride between work-items
// CHECK-NEXT: {{.*}}.cl:[[#@LINE-6]]:16: one load per lane: work-items read addresses that are far apart
// CHECK-NOT: {{.*}}.cl:{{.*}}

kernel void tables(global const uint* at, global const float2* pairs, global const float4* quads, global float* out) {
  size_t i = get_global_id(0);
  out[i] = pairs[at[i]].x + quads[at[i]].y;
}
// CHECK-NEXT: {{.*}}.cl:[[#@LINE-4]]: kernel 'tables': 16 work-items wide: {{.*}}
// CHECK-NEXT: {{.*}}kernel 'tables': barriers: none
// CHECK-NEXT: {{.*}}kernel 'tables': stack: {{.*}}
// CHECK-NEXT: {{.*}}.cl:[[#@LINE-5]]:12: gather: the address has no constant stride between work-items
// CHECK-NEXT: {{.*}}.cl:[[#@LINE-6]]:29: one load per lane: the address has no constant stride between work-items
// CHECK-NOT: {{.*}}.cl:{{.*}}

kernel void put(global const uint* at, global float2* pairs, global float4* quads, global const float4* in) {
  size_t i = get_global_id(0);
  pairs[at[i]] = in[i].xy;
  quads[at[i]] = in[i];
}
// CHECK-NEXT: {{.*}}.cl:[[#@LINE-5]]: kernel 'put': 16 work-items wide: {{.*}}
// CHECK-NEXT: {{.*}}kernel 'put': barriers: none
// CHECK-NEXT: {{.*}}kernel 'put': stack: {{.*}}
// CHECK-NEXT: {{.*}}.cl:[[#@LINE-6]]:16: scatter: the address has no constant stride between work-items
// CHECK-NEXT: {{.*}}.cl:[[#@LINE-6]]:16: one store per lane: the address has no constant stride between work-items
// CHECK-NOT: {{.*}}.cl:{{.*}}
