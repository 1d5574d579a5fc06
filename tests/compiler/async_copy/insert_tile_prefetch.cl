// REQUIRES: x86
// RUN: %heddlec %s --stage=optimize --width=16 --cpu=x86-64-v4 -- -cl-std=CL3.0 | FileCheck %s
// A loop over one tile prefetches the source of the next copy: what is after the source of the last one.
// (The size of the copies is not constant, as they would be elided otherwise.)
#define TILE 2048
kernel void ahead(const global float* from, global float* to, uint tiles, uint n) {
  local float tile[2][TILE];
  event_t coming = async_work_group_copy(tile[0], from, n, 0);
  for (uint t = 0; t < tiles; ++t) {
    wait_group_events(1, &coming);
    if (t + 1 < tiles)
      coming = async_work_group_copy(tile[(t + 1) % 2], from + (t + 1) * TILE, n, 0);
    for (uint i = get_local_id(0); i < TILE; i += get_local_size(0))
      to[t * TILE + i] = tile[t % 2][i] * 2;
  }
}
// CHECK-LABEL: define internal void @ahead(
// CHECK: %next_tile = getelementptr i8, ptr addrspace(4) %{{.*}}, i64 %
// CHECK: call void @llvm.prefetch

// Not if the tile is read from its source.
kernel void one(const global float* from, global float* to) {
  local float tile[TILE];
  event_t coming = async_work_group_copy(tile, from, TILE, 0);
  wait_group_events(1, &coming);
  for (uint i = get_local_id(0); i < TILE; i += get_local_size(0))
    to[i] = tile[i] * 2;
}
// CHECK-LABEL: define internal void @one(
// CHECK-NOT: call void @llvm.prefetch
// CHECK: {{^}}}
