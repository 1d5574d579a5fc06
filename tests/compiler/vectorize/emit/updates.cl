// RUN: %heddlec --cpu=znver4 --stage=vectorize %s | FileCheck %s --check-prefixes=CHECK,ZEN
// RUN: %heddlec --cpu=x86-64-v4 --stage=vectorize %s | FileCheck %s --check-prefixes=CHECK,OTHER
// RUN: %heddlec --cpu=x86-64-v4 --width=32 --stage=vectorize %s | FileCheck %s --check-prefix=WIDE
// Updates of memory whose results nobody uses. Where copies of them predict badly, several updates take loops over the
// lanes, as do all in wide sub-groups, with two lanes an iteration if all are active.

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
// CHECK-NOT: %first = phi
// WIDE-LABEL: define {{.*}} @single.whole(
// WIDE: %first = phi i64 [ 0,
// CHECK: ret void
kernel void single(global const uint* a, local uint* counts) {
  atomic_inc(counts + (a[get_global_id(0)] & 255));
}
