// REQUIRES: x86
// RUN: %heddlec %s --stage=work-groups --width=16 --cpu=x86-64-v4 | FileCheck %s
// RUN: %heddlec %s --stage=work-groups --width=16 --cpu=x86-64-v3 | FileCheck %s
// RUN: %heddlec %s --stage=work-groups --width=8 --cpu=x86-64-v3 | FileCheck --check-prefix=PLAIN %s
// Rounds that the first sub-group does for the group are stored past the caches if the launch writes more than these
// hold: groups by the limit of the loop, by the rounds of the loops around it.
// PLAIN-NOT: !nontemporal

kernel void streams(global float* to, global const float* from, uint tiles) {
  for (uint t = 0; t < tiles; ++t)
    for (uint i = get_local_id(0); i < 2048; i += get_local_size(0))
      to[(get_group_id(0) * (size_t)tiles + t) * 2048 + i] = from[i] * t;
}
// CHECK-LABEL: define internal void @streams.whole(
// CHECK: %[[ROUNDS:.*]] = mul i64 %{{.*}}, %wide.trip.count
// CHECK: %[[LIMIT:.*]] = mul i64 %{{.*}}, 8388608
// CHECK: icmp ugt i64 %[[ROUNDS]], %[[LIMIT]]
// CHECK-DAG: store <16 x float> {{.*}}, align 64, {{.*}}!nontemporal
// CHECK-DAG: store <16 x float> {{.*}}, align 1
// CHECK-LABEL: define internal void @streams(
// CHECK: call void @llvm.x86.sse.sfence()

// What is read is in the caches.
kernel void in_place(global float* to, uint tiles) {
  for (uint t = 0; t < tiles; ++t)
    for (uint i = get_local_id(0); i < 2048; i += get_local_size(0))
      to[(get_group_id(0) * (size_t)tiles + t) * 2048 + i] *= t;
}
// CHECK-LABEL: define internal void @in_place.whole(
// CHECK-NOT: nontemporal
// CHECK: ret void
// CHECK-LABEL: define internal void @in_place(
// CHECK-NOT: sfence

// So is what is copied from.
kernel void copied(global float* to, uint tiles) {
  local float t[2048];
  event_t e = async_work_group_copy(t, to, 2048, 0);
  wait_group_events(1, &e);
  for (uint i = get_local_id(0); i < 2048; i += get_local_size(0))
    to[(get_group_id(0) + 1) * 2048 + i] = t[2047 - i];
}
// CHECK-LABEL: define internal i32 @copied.whole(
// CHECK-NOT: nontemporal
// CHECK: {{^}}}

// Others may wait for the flag, which such stores are not ordered with.
kernel void tells(global float* to, global int* ready) {
  for (uint i = get_local_id(0); i < 2048; i += get_local_size(0))
    to[get_group_id(0) * 2048 + i] = i;
  atomic_inc(ready);
}
// CHECK-LABEL: define internal void @tells.whole(
// CHECK-NOT: nontemporal
// CHECK: ret void
