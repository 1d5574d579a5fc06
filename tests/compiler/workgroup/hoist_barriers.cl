// RUN: %heddlec %s --stage=vectorize --width=16 -- -cl-std=CL3.0 | FileCheck %s
// Barriers are hoisted out of loops in which only the group's first work-item has effects.
kernel void rows(global const int* from, local int* tile, uint n, global const uint* places,
                 global int* out) {
  out[get_global_id(0)] = 0;
  for (uint block = 0; block < n; ++block)
    for (uint row = 0; row < 16; ++row) {
      event_t e = async_work_group_copy(tile + row * 64, from + places[block] + row * 1000ul, 64, 0);
      wait_group_events(1, &e);
    }
  out[get_global_id(0)] = tile[get_local_id(0)];
}
// CHECK-LABEL: define {{.*}} @rows.body(
// CHECK: store i32 0
// CHECK: call void @heddle.barrier()
// CHECK-NOT: call void @heddle.barrier()
// CHECK: call void @__heddle_call_once_copy_
// CHECK-NOT: call void @heddle.barrier()
// CHECK: br {{.*}}!llvm.loop [[ROLLED:![0-9]+]]
// CHECK: call void @heddle.barrier()
// CHECK-NOT: call void @heddle.barrier()
// CHECK: store i32
// CHECK: ret void
// CHECK: [[ROLLED]] = distinct !{[[ROLLED]]{{.*}}, [[DISABLE:![0-9]+]]
// CHECK: [[DISABLE]] = !{!"llvm.loop.unroll.disable", i32 1}

// Only out of the inner loop, if the outer one has effects of all work-items.
kernel void sums(global const int* from, local int* tile, uint n, global int* out) {
  for (uint block = 0; block < n; ++block) {
    for (uint row = 0; row < 16; ++row) {
      event_t e = async_work_group_copy(tile + row * 64, from + block + row * 1000ul, 64, 0);
      wait_group_events(1, &e);
    }
    out[get_global_id(0)] += tile[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
// CHECK-LABEL: define {{.*}} @sums.body(
// CHECK: call void @heddle.barrier()
// CHECK-NOT: call void @heddle.barrier()
// CHECK: call void @__heddle_call_once_copy_
// CHECK-NOT: call void @heddle.barrier()
// CHECK: br {{.*}}!llvm.loop
// CHECK: call void @heddle.barrier()
// CHECK-NOT: call void @heddle.barrier()
// CHECK: store i32
// CHECK: call void @heddle.barrier()
// CHECK: br {{.*}}
// CHECK: ret void

// Not if the copied data decides whether the loop continues,
kernel void ways(global const int* from, local int* tile, global int* out) {
  for (int at = 0; at >= 0;) {
    event_t e = async_work_group_copy(tile, from + at, 64, 0);
    wait_group_events(1, &e);
    at = tile[0];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = tile[get_local_id(0)];
}
// CHECK-LABEL: define {{.*}} @ways.body(
// CHECK-NOT: call void @heddle.barrier()
// CHECK: call void @__heddle_call_once_copy_
// CHECK: call void @heddle.barrier()
// CHECK: load i32
// CHECK: call void @heddle.barrier()
// CHECK: br {{.*}}
// CHECK: ret void

// if a value that is loaded in the loop is used after it,
kernel void last(global const int* from, local int* tile, uint n, global uint* places, global int* out) {
  places[get_local_id(0)] = 0;
  uint place = 0;
  for (uint row = 0; row < n; ++row) {
    place = places[row];
    event_t e = async_work_group_copy(tile, from + place, 64, 0);
    wait_group_events(1, &e);
  }
  out[get_global_id(0)] = tile[get_local_id(0)] + place;
}
// CHECK-LABEL: define {{.*}} @last.body(
// CHECK-NOT: call void @heddle.barrier()
// CHECK: call void @__heddle_call_once_copy_
// CHECK: call void @heddle.barrier()
// CHECK: br {{.*}}
// CHECK: ret void

// if the loop may be divergent,
kernel void some(global const int* from, local int* tile, global const uint* n, global int* out) {
  const uint rows = n[get_group_id(0)];
  for (uint row = 0; row < rows; ++row) {
    event_t e = async_work_group_copy(tile, from + row * 64, 64, 0);
    wait_group_events(1, &e);
  }
  out[get_global_id(0)] = tile[get_local_id(0)];
}
// CHECK-LABEL: define {{.*}} @some.body(
// CHECK-NOT: call void @heddle.barrier()
// CHECK: call void @__heddle_call_once_copy_
// CHECK: call void @heddle.barrier()
// CHECK: br {{.*}}
// CHECK: ret void

// or if there are atomics, by which other groups observe the order.
kernel void told(global const int* from, local int* tile, uint n, global atomic_uint* done, global int* out) {
  for (uint row = 0; row < n; ++row) {
    event_t e = async_work_group_copy(tile, from + row * 64, 64, 0);
    wait_group_events(1, &e);
    atomic_load_explicit(done, memory_order_acquire, memory_scope_device);
  }
  out[get_global_id(0)] = tile[get_local_id(0)];
}
// CHECK-LABEL: define {{.*}} @told.body(
// CHECK-NOT: call void @heddle.barrier()
// CHECK: call void @__heddle_call_once_copy_
// CHECK: call void @heddle.barrier()
// CHECK: load atomic
// CHECK: ret void
