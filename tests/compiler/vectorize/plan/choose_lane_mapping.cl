// RUN: %heddlec %s --stage=work-groups --width=16 -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --stage=work-groups --width=16 --first -- -cl-std=CL3.0 | FileCheck --check-prefix=FIRST %s
// Kernels that know of rows get a form whose lanes cross them, for groups with rows so narrow that
// most lanes would be empty; half a sub-group is narrow if gathers cost less than a second run.
kernel void moves(global int* out, global const int* in, int pitch) {
  size_t i = get_global_id(1) * pitch + get_global_id(0);
  out[i] = in[i] + 1;
}
// CHECK-LABEL: define {{.*}}void @moves(
// CHECK: icmp ule i64 %{{.*}}, 4
// CHECK: %crosses_rows
// CHECK: call void @moves.crossing(
// A unit that is replaced by others does without, if it gathered.
// FIRST-LABEL: define {{.*}}void @moves(
// FIRST-NOT: crossing
// FIRST: ret void

kernel void computes(global float* out, int pitch, float f) {
  float x = get_global_id(0), y = get_global_id(1);
  for (int i = 0; i < 100; ++i) {
    float t = x * x - y * y + f;
    y = 2 * x * y + f;
    x = t;
  }
  out[get_global_id(1) * pitch + get_global_id(0)] = x;
}
// CHECK-LABEL: define {{.*}}void @computes(
// CHECK: icmp ule i64 %{{.*}}, 8
// CHECK: %crosses_rows
// CHECK: call void @computes.crossing(
// FIRST-LABEL: define {{.*}}void @computes(
// FIRST: call void @computes.crossing(

kernel void one_row(global int* a) { a[get_global_id(0)] += 1; }
// CHECK-LABEL: define {{.*}}void @one_row(
// CHECK-NOT: crossing
// CHECK: ret void

// Of sub-groups all but the last are full, however wide the rows are.
kernel void sub_groups(global int* a) {
  a[get_global_id(0)] = sub_group_reduce_add(a[get_global_id(0)]);
}
// CHECK-LABEL: define {{.*}}void @sub_groups(
// CHECK: call void @sub_groups.crossing(
// FIRST-LABEL: define {{.*}}void @sub_groups(
// FIRST: call void @sub_groups.crossing(
