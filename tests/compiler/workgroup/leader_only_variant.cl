// RUN: %heddlec %s --stage=vectorize --width=16 -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --stage=work-groups --width=16 -- -cl-std=CL3.0 | FileCheck %s --check-prefix=ENTRY
// If only the first sub-group has effects, groups of one row of whole sub-groups run a variant for it
// alone, without barriers, in launches that elide the copies.
kernel void sums(global const float* in, global float* out, uint tiles) {
  local float tile[256 + 16];
  for (uint t = get_group_id(0) * tiles; t < (get_group_id(0) + 1) * tiles; ++t) {
    event_t e = async_work_group_copy(tile, in + t * 256ul, 256 + 16, 0);
    wait_group_events(1, &e);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
      out[t * 256ul + i] = tile[i] + tile[i + 16];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
// CHECK-LABEL: define internal void @sums.whole.leader(
// CHECK-NOT: call void @heddle.barrier
// CHECK-NOT: call i1 @__heddle_sub_group_is_leader
// CHECK: call void @__heddle_call_once_copy_unless_elided({{.*}}, i64 1088, i1 true,
// CHECK-NOT: call void @heddle.barrier
// CHECK: load <16 x float>
// CHECK-NOT: call void @heddle.barrier
// CHECK: ret void
// The loop stays rolled.
// CHECK: br label %{{.*}}, {{.*}}!llvm.loop [[ROLLED:![0-9]+]]
// Whether arguments overlap and the source is aligned is known at launch.
// CHECK-LABEL: define internal i1 @sums.whole.leader.condition(
// CHECK: load i64, ptr %{{.*}}, align 8, {{.*}}!invariant.load
// CHECK: and i64 %{{.*}}, 63
// CHECK: ret i1
// CHECK-LABEL: define internal i32 @sums.whole(
// CHECK: [[ROLLED]] = distinct !{[[ROLLED]], {{.*}}[[STAYS:![0-9]+]]}
// CHECK: [[STAYS]] = !{!"llvm.loop.unroll.disable", i32 1}
// It is not inlined.
// ENTRY: define internal void @sums.whole.leader({{.*}} [[APART:#[0-9]+]]
// ENTRY-LABEL: define internal void @sums(
// ENTRY: %is_single_row = and i1
// ENTRY: [[IN_PLACE:%.*]] = call i1 @sums.whole.leader.condition(
// ENTRY: [[ALONE:%.*]] = and i1 %is_single_row, [[IN_PLACE]]
// ENTRY-NEXT: br i1 [[ALONE]], label %[[LINE:.*]], label
// ENTRY: [[LINE]]:
// ENTRY: call void @sums.whole.leader({{.*}}, i64 0, i64 0, i64 0)
// ENTRY: attributes [[APART]] = { {{.*}}noinline

// Not if other sub-groups have effects as well,
kernel void own(global const float* in, global float* out) {
  local float tile[256];
  event_t e = async_work_group_copy(tile, in, 256, 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = tile[get_local_id(0) & 255];
}
// CHECK-NOT: define internal void @own.whole.leader(
// CHECK-LABEL: define internal i32 @own.whole(

// if iterations are not redistributed to the first sub-group,
kernel void many(global const float* in, global float* out, uint n) {
  for (uint t = 0; t < 4; ++t) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < n; i += get_local_size(0))
      out[t * n + i] = in[i];
  }
}
// CHECK-NOT: define internal void @many.whole.leader(
// CHECK-LABEL: define internal i32 @many.whole(

// or if there are atomics, by which other groups observe the order.
kernel void tells(global const float* in, global float* out, global atomic_uint* told) {
  for (uint t = 0; t < 4; ++t) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
      out[t * 256 + i] = in[i] + atomic_load_explicit(told, memory_order_relaxed, memory_scope_device);
  }
}
// CHECK-NOT: define internal void @tells.whole.leader(
// CHECK-LABEL: define internal i32 @tells.whole(
