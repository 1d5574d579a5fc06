// RUN: %heddlec %s --stage=vectorize --width=16 -- -cl-std=CL3.0 | FileCheck %s
// Where all that a loop does is done by the group's first work-item, the group meets before and
// behind it.
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

// If only one loop is of that kind, it alone.
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

// Not where all read what was copied, even if only to know whether to go on,
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

// or what was there before and others have the last of,
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

// where it is not sure that all come to the loop,
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

// or where other groups may see in which order things are done.
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

// CHECK: [[ROLLED]] = distinct !{[[ROLLED]]{{.*}}, [[DISABLE:![0-9]+]]
// CHECK: [[DISABLE]] = !{!"llvm.loop.unroll.disable", i32 1}
