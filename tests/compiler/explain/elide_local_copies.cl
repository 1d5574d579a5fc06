// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s
// An elided copy is reported with its line; one that is needed is not.
kernel void sums(global const float* from, global float* to) {
  local float tile[64];
  event_t e = async_work_group_copy(tile, from + get_group_id(0) * 64, 64, 0);
  wait_group_events(1, &e);
  to[get_global_id(0)] = tile[get_local_id(0) & 63] + tile[63 - (get_local_id(0) & 63)];
}
// CHECK: kernel 'sums': stack:
// CHECK-NEXT: {{.*}}elide_local_copies.cl:5:{{[0-9]+}}: copy elided: the local buffer is read from the copy's source, if that is aligned and overlaps nothing that the kernel writes
kernel void written(global const float* from, global float* to) {
  local float tile[64];
  event_t e = async_work_group_copy(tile, from + get_group_id(0) * 64, 64, 0);
  wait_group_events(1, &e);
  tile[get_local_id(0) & 63] += 1;
  to[get_global_id(0)] = tile[get_local_id(0) & 63];
}
// CHECK: kernel 'written'
// CHECK-NOT: copy elided
// The variant for the first sub-group is reported.
kernel void shared(global const float* from, global float* to) {
  local float tile[64];
  event_t e = async_work_group_copy(tile, from + get_group_id(0) * 64, 64, 0);
  wait_group_events(1, &e);
  for (uint i = get_local_id(0); i < 64; i += get_local_size(0))
    to[get_group_id(0) * 64 + i] = tile[63 - (i & 63)];
}
// CHECK: kernel 'shared': barriers: regions, {{.*}} kept across them; the first sub-group of one row of whole ones does everything alone{{$}}
