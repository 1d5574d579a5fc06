// RUN: %heddlec %s --local=8x1x1 --long-rows --print-after=ids-from-global-id -o %t 2>&1 | FileCheck %s
// RUN: %heddlec %s --local=8x1x1 --long-rows --stage=work-groups | FileCheck %s --check-prefix=GROUPS
// RUN: %heddlec %s --local=8x1x1 --stage=work-groups | FileCheck %s --check-prefix=FEW
// RUN: %heddlec %s --local=1x1x1 --long-rows --print-after=ids-from-global-id -o %t 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %heddlec %s --local=4x1x1 --long-rows --print-after=ids-from-global-id -o %t 2>&1 | FileCheck %s --check-prefix=FOUR
// Sums of group and local id become one of the global id, so that groups run as one.

// A factor of the group that is that of the local id times the size, beside what is not negative:
// no partial sum wraps around.
// CHECK-LABEL: define {{.*}}void @sums.body(
// CHECK: [[START:%.*]] = mul i64 %{{.*}}, 8
// CHECK: [[ID:%.*]] = add i64 [[START]], %local_x
// CHECK: [[NARROW:%.*]] = trunc i64 [[ID]] to i32
// CHECK: mul nsw i32 [[NARROW]], 3
// CHECK-NOT: %local_x
// CHECK: ret void
// GROUPS-LABEL: define {{.*}}void @sums(
// GROUPS: %merged_rows = load
// FEW-LABEL: define {{.*}}void @sums(
// FEW-NOT: merged
// FEW: ret void
kernel void sums(global float* out, global const float* in) {
  int group = get_group_id(0), item = get_local_id(0);
  float sum = 0;
  for (int k = 0; k < 9; ++k)
    sum += in[group * 24 + k * 4096 + item * 3];
  out[item + group * 8] = sum;
}

// Negative terms: the sum wraps around as it would have.
// CHECK-LABEL: define {{.*}}void @negative.body(
// CHECK: mul i32 %{{.*}}, 2
// CHECK: add i32
// CHECK: ret void
kernel void negative(global float* out, int first) {
  int group = get_group_id(0), item = get_local_id(0);
  out[first + group * 16 + item * 2] = 1;
}

// Other factors: remainders and quotients in groups of up to four, in which most lanes would be idle.
// CHECK-LABEL: define {{.*}}void @apart.body(
// CHECK-NOT: udiv
// CHECK: ret void
// GROUPS-LABEL: define {{.*}}void @apart(
// GROUPS-NOT: merged
// GROUPS: ret void
// FOUR-LABEL: define {{.*}}void @apart.body(
// FOUR-DAG: urem i64 %{{.*}}, 4
// FOUR-DAG: udiv i64 %{{.*}}, 4
// FOUR: ret void
// ONE-LABEL: define {{.*}}void @apart.body(
// ONE: [[GROUP:%.*]] = add i64 %{{.*}}, %local_x
// ONE: trunc i64 [[GROUP]] to i32
// ONE-NOT: %local_x
// ONE: ret void
kernel void apart(global float* out) {
  int group = get_group_id(0), item = get_local_id(0);
  out[item * 1000 + group] = get_local_size(0);
}

// Groups that can see each other, or have memory of their own, stay apart.
// ONE-LABEL: define {{.*}}void @counts.body(
// ONE: entry:
// ONE-NOT: %local_x
// ONE: ret void
// ONE-LABEL: define {{.*}}void @shares.body(
// ONE: entry:
// ONE-NOT: %local_x
// ONE: ret void
kernel void counts(global int* out) { atomic_inc(out + get_group_id(0)); }
kernel void shares(global int* out, local int* t) { t[0] = 1; out[get_group_id(0)] = t[0]; }
