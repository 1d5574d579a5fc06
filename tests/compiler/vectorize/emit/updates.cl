// REQUIRES: x86
// RUN: %heddlec --cpu=znver4 --stage=vectorize %s | FileCheck %s --check-prefixes=CHECK,ZEN
// RUN: %heddlec --cpu=x86-64-v4 --stage=vectorize %s | FileCheck %s --check-prefixes=CHECK,OTHER
// RUN: %heddlec --cpu=x86-64-v4,slow-updates --stage=vectorize %s | FileCheck %s --check-prefixes=CHECK,ZEN
// RUN: %heddlec --cpu=znver4,fast-updates --stage=vectorize %s | FileCheck %s --check-prefixes=CHECK,OTHER
// RUN: %heddlec --cpu=x86-64-v4 --width=32 --stage=vectorize %s | FileCheck %s --check-prefix=WIDE
// Updates of memory whose results nobody uses. Where copies of them predict badly, updates of local memory read their
// lanes' indices from memory: several take loops over the lanes, as do all in wide sub-groups, with two lanes in an
// iteration if all are active; one takes them all at once.

// CHECK-LABEL: define {{.*}} @channels.whole(
// ZEN: lane:
// ZEN: %first = phi i64 [ 0,
// ZEN: atomicrmw add
// ZEN: atomicrmw add
// ZEN-NOT: atomicrmw
// ZEN: br i1 {{.*}}, label %lanes.done, label %lane,{{.*}} !llvm.loop
// OTHER-NOT: %first = phi
// WIDE-LABEL: define {{.*}} @channels.whole(
// WIDE: %first = phi i64 [ 0,
// WIDE: atomicrmw add
// WIDE: atomicrmw add
// WIDE-NOT: atomicrmw
// WIDE: br i1 {{.*}}, label %lanes.done, label %lane,{{.*}} !llvm.loop
// CHECK: ret void
kernel void channels(global const uint* a, local uint* counts) {
  uint v = a[get_global_id(0)];
  atomic_inc(counts + (v & 255));
  atomic_inc(counts + (v >> 8 & 255));
}

// CHECK-LABEL: define {{.*}} @single.whole(
// ZEN: store <16 x i32> {{.*}}, ptr %lanes
// ZEN: %first = phi i64 [ 0,
// ZEN-COUNT-16: atomicrmw add
// ZEN-NOT: atomicrmw
// ZEN: br i1 {{.*}}, label %lanes.done, label %lane,{{.*}} !llvm.loop
// OTHER-NOT: %first = phi
// WIDE-LABEL: define {{.*}} @single.whole(
// WIDE: %first = phi i64 [ 0,
// CHECK: ret void
kernel void single(global const uint* a, local uint* counts) {
  atomic_inc(counts + (a[get_global_id(0)] & 255));
}

// Other memory is updated at the speed of locked instructions.
// CHECK-LABEL: define {{.*}} @global_memory.whole(
// CHECK-NOT: %first = phi
// CHECK: ret void
// The loop over the active lanes keeps no results.
// CHECK-LABEL: define {{.*}} @global_memory.tail(
// CHECK: lane:
// CHECK: atomicrmw add
// CHECK-NOT: store
// CHECK: br i1
kernel void global_memory(global const uint* a, global uint* counts) {
  atomic_inc(counts + (a[get_global_id(0)] & 255));
}
