// RUN: %heddlec %s --stage=work-groups --width=8 --fibers | FileCheck %s
// Without region loops each sub-group runs on a fiber.
kernel void barred(global int* a, local int* t) {
  size_t l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[l ^ 1];
}
// The index is that of a sub-group; only groups of several rows need divisions. Whole sub-groups run
// `whole`, the rest of a row runs `tail`.
// CHECK-LABEL: define internal void @barred(ptr {{.*}}readonly {{.*}}%group, i64 %index)
// CHECK: [[SIZE:%.*]] = load i64
// CHECK: udiv i64 %{{.*}}, 8
// CHECK: split:
// CHECK: udiv i32
// CHECK: run:
// CHECK: call void @heddle.note(
// CHECK: whole:
// CHECK: call void @barred.whole(
// CHECK: tail:
// CHECK: call void @barred.tail(
// CHECK: ret void

// CHECK-LABEL: define internal void @barred.groups(
// CHECK: call void %{{.*}}(ptr %group, ptr @barred, i64 %{{.*}})

// A kernel without barriers needs no fibers.
kernel void plain(global int* a) { a[get_global_id(0)] = 1; }
// CHECK-NOT: @plain.groups
// CHECK-LABEL: define internal void @plain(ptr {{.*}}%launch
// CHECK: call void @plain.whole(
