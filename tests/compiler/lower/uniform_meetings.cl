// RUN: %heddlec %s --check=divergence --stage=simplify -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --check=divergence --stage=vectorize -- -cl-std=CL3.0 | FileCheck %s --check-prefix=VECTOR
// Barriers that all work-items execute equally often, by sizes, arguments and constants alone, are not checked, and the
// kernel is vectorized; others are, in scalar code.
// CHECK-LABEL: define {{.*}}@uniform.body(
// CHECK-NOT: call {{.*}}@__heddle_check
// CHECK-LABEL: define {{.*}}@early.body(
// CHECK: call {{.*}}@__heddle_check(i32 30,
// CHECK-LABEL: define {{.*}}@value.body(
// CHECK: call {{.*}}@__heddle_check(i32 30,
// CHECK-LABEL: define {{.*}}@arguments.body(
// CHECK: call {{.*}}@__heddle_check(i32 30,
// CHECK-LABEL: define {{.*}}@same_line.body(
// CHECK: call {{.*}}@__heddle_check(i32 30,
// CHECK-LABEL: define {{.*}}@copy.body(
// CHECK: call {{.*}}@__heddle_check(i32 30,
// VECTOR-NOT: @{{early|value|arguments|same_line|copy}}.whole(
// VECTOR: define {{.*}}@uniform.whole(
// VECTOR-NOT: @{{early|value|arguments|same_line|copy}}.whole(
kernel void uniform(global int* out, local int* tile, constant int* rounds, int n) {
  int l = get_local_id(0);
  tile[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = get_local_size(0) / 2; step > n; step /= 2) {
    if (l < step)
      tile[l] += tile[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < rounds[0]; ++i)
    out[get_global_id(0)] = work_group_reduce_add(tile[l]);
}
kernel void early(global int* out, local int* tile, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  tile[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[i ^ 1];
}
kernel void value(global int* out, local int* tile) {
  int i = get_global_id(0);
  tile[i] = i;
  for (int n = 0; n < out[0]; ++n)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[i ^ 1];
}
kernel void arguments(global int* out) {
  int i = get_global_id(0);
  out[i] = work_group_broadcast(i, i & 1);
}
// Equal but for their place.
kernel void same_line(global int* out, local int* tile) {
  int i = get_local_id(0);
  tile[i] = i;
  if (i & 1)
    barrier(CLK_LOCAL_MEM_FENCE);
  else
    barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[i ^ 1];
}
kernel void copy(global int* out, local int* tile) {
  event_t e = async_work_group_copy(tile, out, 16, 0);
  wait_group_events(1, &e);
  out[get_global_id(0) + 16] = tile[get_local_id(0)];
}
