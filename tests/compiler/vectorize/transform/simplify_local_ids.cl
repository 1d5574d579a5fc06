// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// Where an id is known to be small, masks of what is computed from it clear no bit: accesses are consecutive.
kernel void narrowed(global uint* out, local uint* t) {
  uint l = get_local_id(0);
  out[get_global_id(0)] = t[l] + t[l + 32];
}
// CHECK-LABEL: define internal void @narrowed.whole(
// CHECK-NOT: br i1
// CHECK: load <8 x i32>, ptr addrspace(3)
// CHECK-NOT: br i1
// CHECK: load <8 x i32>, ptr addrspace(3)
// CHECK-NOT: br i1
// CHECK: ret void
kernel void below_a_limit(global uint* out, local volatile uint* t) {
  uint l = get_local_id(0);
  if (l < 32) {
    t[l] += t[l + 16];
    t[l] += t[l + 8];
  }
  out[get_global_id(0)] = t[l];
}
// CHECK-LABEL: define internal void @below_a_limit.whole(
// CHECK: br i1
// CHECK-COUNT-4: load <8 x i32>, ptr addrspace(3)
// CHECK: ret void
// Bits that an id may have stay masked,.
kernel void wraps(global uint* out, local uint* t) {
  uint l = get_local_id(0);
  out[get_global_id(0)] = t[(l + 16) & 63];
}
// CHECK-LABEL: define internal void @wraps.whole(
// CHECK: and i64 %{{.*}}, 63
// CHECK: define
// Not below 0.
kernel void before(global uint* out, local uint* t) {
  uint l = get_local_id(0);
  out[get_global_id(0)] = t[l - 1];
}
// CHECK-LABEL: define internal void @before.whole(
// CHECK: and <8 x i64> %{{.*}}, splat (i64 4294967295)
