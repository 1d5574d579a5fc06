// REQUIRES: x86
// RUN: %heddlec %s --cpu=x86-64-v4 --local=64 --width=16 --stage=optimize | FileCheck %s
// RUN: %heddlec %s --cpu=x86-64-v4 --local=64 --width=16 -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: %heddlec %s --cpu=x86-64-v4 --width=16 --stage=optimize | FileCheck %s --check-prefix=ANY
// The steps of a tree are straight code on registers if the local size is known: half of the
// registers are added to the others, then half of the lanes.
kernel void tree(global float* sums, global const float* in, local float* t) {
  uint l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s)
      t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    sums[get_group_id(0)] = t[0];
}
// CHECK-LABEL: define internal void @tree(
// CHECK-NOT: addrspace(3) %{{[^,]*}}, align
// CHECK: load <16 x float>, ptr addrspace(1)
// CHECK: load <16 x float>, ptr addrspace(1)
// CHECK: load <16 x float>, ptr addrspace(1)
// CHECK: load <16 x float>, ptr addrspace(1)
// CHECK-COUNT-3: fadd <16 x float>
// CHECK-NOT: addrspace(3)
// CHECK: shufflevector <16 x float> %{{[^,]*}}, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 poison
// CHECK: fadd <16 x float>
// CHECK: shufflevector <16 x float> %{{[^,]*}}, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 poison
// CHECK: shufflevector <16 x float> %{{[^,]*}}, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 poison
// CHECK: shufflevector <16 x float> %{{[^,]*}}, <16 x float> poison, <16 x i32> <i32 1, i32 poison
// CHECK-NOT: addrspace(3)
// CHECK: store float %{{[^,]*}}, ptr addrspace(1)
// CHECK-NOT: addrspace(3)
// CHECK: ret void
// EXPLAIN: kernel 'tree': barriers: regions, {{.*}}; local memory in registers, as {{[0-9]+}} instructions a group{{$}}
// Groups of any size.
// ANY-LABEL: define internal void @tree(
// ANY: store <16 x float> %{{[^,]*}}, ptr addrspace(3)

// What a work-item adds up before the steps is a loop as before.
kernel void strided(global float* sums, global const float* in, uint n) {
  local float t[64];
  uint l = get_local_id(0);
  float sum = 0;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    sum += in[i];
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 32; s > 0; s >>= 1) {
    if (l < s)
      t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    sums[get_group_id(0)] = t[0];
}
// CHECK-LABEL: define internal void @strided(
// CHECK: store <16 x float> %{{[^,]*}}, ptr addrspace(3)
// CHECK: load <16 x float>, ptr addrspace(3)
// CHECK-NOT: store {{.*}}addrspace(3)
// CHECK: store float %{{[^,]*}}, ptr addrspace(1)
// CHECK: ret void
// EXPLAIN: kernel 'strided': barriers: {{.*}}; local memory in registers, but at the beginning, as {{[0-9]+}} instructions a group{{$}}

// Volatile accesses, addresses from memory, and one step alone, whose loads are of whole vectors, stay in memory.
kernel void with_volatile(global float* sums, global const float* in) {
  volatile local float t[64];
  uint l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 32; s > 0; s >>= 1) {
    if (l < s)
      t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    sums[get_group_id(0)] = t[0];
}
kernel void from_memory(global float* out, global const float* in, global const uint* at) {
  local float t[64];
  uint l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  for (uint s = 32; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float v = t[at[l] % 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] += v;
  }
  out[get_global_id(0)] = t[l];
}
kernel void one_step(global float* out, global const float* in) {
  local float t[64];
  uint l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l ^ 32] + t[l ^ 16];
}
// EXPLAIN: kernel 'with_volatile': barriers: {{.*}} kept across them{{$}}
// EXPLAIN: kernel 'from_memory': barriers: {{.*}} kept across them{{$}}
// EXPLAIN: kernel 'one_step': barriers: {{.*}} kept across them{{$}}
