// RUN: %heddlec %s --stage=vectorize --width=16 -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --stage=work-groups --width=16 -- -cl-std=CL3.0 | FileCheck %s --check-prefix=ENTRY
// RUN: %heddlec %s --stage=vectorize --width=1 -- -cl-std=CL3.0 | FileCheck %s --check-prefix=SCALAR
// Reads of a local buffer that only async copies of an argument fill are forwarded to the argument,
// if the launch's arguments do not overlap.
kernel void sums(global const float* in, global float* out, uint tiles) {
  local float tile[2][256 + 16];
  size_t at = get_group_id(0) * tiles * 256;
  event_t e = async_work_group_copy(tile[0], in + at, 256 + 16, 0);
  for (uint t = 0; t < tiles; ++t, at += 256) {
    wait_group_events(1, &e);
    if (t + 1 < tiles)
      e = async_work_group_copy(tile[(t + 1) % 2], in + at + 256, 256 + 16, 0);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
      out[at + i] = tile[t % 2][i] + tile[t % 2][i + 16];
  }
}
// CHECK-LABEL: define internal i32 @sums.whole(
// CHECK: [[OVERLAP:%.*]] = load i64, ptr %{{.*}}, align 8, {{.*}}!invariant.load
// CHECK: [[IN_PLACE:%.*]] = icmp eq i64 [[OVERLAP]], 0
// The distances of all sources from the argument are multiples of a cache line.
// CHECK: [[SOURCE:%.*]] = ptrtoint ptr addrspace(1) %in to i64
// CHECK: [[AT:%.*]] = and i64 [[SOURCE]], 63
// CHECK: [[LIES_WELL:%.*]] = icmp eq i64 [[AT]], 0
// CHECK: [[LEFT_OUT:%is_elided.*]] = and i1 [[IN_PLACE]], [[LIES_WELL]]
// CHECK: select i1 [[LEFT_OUT]], ptr addrspace(4) %{{.*}}, ptr addrspace(4)
// CHECK: call void @__heddle_call_once_copy_unless_elided({{.*}}, i64 1088, i1 [[LEFT_OUT]], ptr addrspace(3) null, i64 0)
// CHECK: call void @__heddle_call_once_copy_unless_elided({{.*}}, i64 1088, i1 %is_elided{{.*}}, ptr addrspace(3) null, i64 0)
// CHECK-NOT: call void @__heddle_call_once_copy_bytes
// CHECK: [[CONTENTS:%.*]] = select i1 %{{.*}}, ptr addrspace(4) %{{.*}}, ptr addrspace(4)
// CHECK: getelementptr float, ptr addrspace(4) [[CONTENTS]]
// CHECK: load <16 x float>, ptr addrspace(4)
// The copy is made unless it is elided.
// ENTRY-LABEL: define internal i32 @sums.whole(
// ENTRY: and i64 %{{.*}}, 63
// ENTRY: [[COPIES:%.*]] = xor i1 %is_elided{{.*}}, true
// ENTRY: br i1 [[COPIES]], {{.*}}!prof
// ENTRY: call void @__heddle_call_once_copy_bytes(
// ENTRY-NOT: @__heddle_call_once_copy_unless_elided
// SCALAR-LABEL: define internal i32 @sums.item(
// SCALAR: call void @__heddle_call_once_copy_unless_elided(

// If it is not certain that all work-items reach the same copies, the address of the contents is kept
// in front of the group's local memory.
kernel void chosen(global const float* in, global float* out, global const uint* order) {
  local float tile[256];
  for (uint t = 0; t < 4; ++t) {
    if (order[t] != 0) {
      event_t e = async_work_group_copy(tile, in + order[t] * 16, 256, 0);
      wait_group_events(1, &e);
    }
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
      out[t * 256 + i] = tile[i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
// CHECK-LABEL: define internal i32 @chosen.whole(
// CHECK: call void @__heddle_call_once_copy_unless_elided({{.*}}, i64 0, i1 true, ptr addrspace(3) [[WORD:%.*]], i64 %{{.*}})
// CHECK: call void @__heddle_call_once_copy_unless_elided({{.*}}, i64 1024, i1 %is_elided{{.*}}, ptr addrspace(3) %{{.*}}, i64 %{{.*}})
// CHECK: %offset{{.*}} = load i64, ptr addrspace(3)
// ENTRY-LABEL: define internal i32 @chosen.whole(
// ENTRY: [[OFFSET:%.*]] = sub i64
// ENTRY: store i64 [[OFFSET]], ptr addrspace(3) %{{.*}}, align 8

// Not if the kernel writes the argument,
kernel void writes_source(global float* in, global float* out) {
  local float tile[256];
  event_t e = async_work_group_copy(tile, in, 256, 0);
  wait_group_events(1, &e);
  size_t i = get_local_id(0) & 255;
  in[i] = 1;
  out[i] = tile[255 - i];
}
// CHECK-LABEL: define internal i32 @writes_source.whole(
// CHECK-NOT: unless_elided
// CHECK: call void @__heddle_call_once_copy_bytes

// writes to the buffer,
kernel void writes_tile(global const float* in, global float* out) {
  local float tile[256];
  event_t e = async_work_group_copy(tile, in, 256, 0);
  wait_group_events(1, &e);
  size_t i = get_local_id(0) & 255;
  float x = tile[255 - i];
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[i] = x * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[i];
}
// CHECK-LABEL: define internal i32 @writes_tile.whole(
// CHECK-NOT: unless_elided
// CHECK: call void @__heddle_call_once_copy_bytes

// reads bytes that were not copied,
kernel void reads_more(global const float* in, global float* out) {
  local float tile[256];
  event_t e = async_work_group_copy(tile, in, 255, 0);
  wait_group_events(1, &e);
  size_t i = get_local_id(0) & 255;
  out[i] = tile[i];
}
// CHECK-LABEL: define internal i32 @reads_more.whole(
// CHECK-NOT: unless_elided
// CHECK: call void @__heddle_call_once_copy_bytes

// has atomics, by which others may know that the source may change,
kernel void tells(global const float* in, global float* out, global atomic_int* flag) {
  local float tile[256];
  event_t e = async_work_group_copy(tile, in, 256, 0);
  wait_group_events(1, &e);
  atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
  size_t i = get_local_id(0) & 255;
  out[i] = tile[i];
}
// CHECK-LABEL: define internal i32 @tells.whole(
// CHECK-NOT: unless_elided
// CHECK: call void @__heddle_call_once_copy_bytes

// or writes through a pointer of unknown origin.
kernel void writes_anywhere(global const float* in, global ulong* places) {
  local float tile[256];
  event_t e = async_work_group_copy(tile, in, 256, 0);
  wait_group_events(1, &e);
  size_t i = get_local_id(0) & 255;
  *(global float*)places[i] = tile[i];
}
// CHECK-LABEL: define internal i32 @writes_anywhere.whole(
// CHECK-NOT: unless_elided
// CHECK: call void @__heddle_call_once_copy_bytes
