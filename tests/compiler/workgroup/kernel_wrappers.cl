// RUN: %heddlec %s --stage=work-groups --width=1 --fibers | FileCheck %s
// A kernel without barriers is a loop. One with barriers is a function that a fiber runs, and a loop
// that passes it to the worker. The function that contains the kernel's code has the kernel's name.
kernel void plain(global int* a) { a[get_global_id(0)] = 1; }
kernel void barred(global int* a) { barrier(CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = 1; }
// CHECK: @heddle_kernels = {{.*}}constant [1 x ptr] [ptr @plain]
// CHECK-LABEL: define internal void @plain(ptr {{.*}}%launch, i64 %first_group, i64 %last_group, ptr {{.*}}%worker)
// CHECK: call void @heddle.note(i64
// CHECK: call void @plain.body(
// CHECK: @heddle_kernels = {{.*}}constant [1 x ptr] [ptr @barred.groups]
// CHECK-LABEL: define internal void @barred(ptr {{.*}}%group, i64 %index)
// CHECK: call void @heddle.note(i64
// CHECK: call void @barred.body(
// CHECK-LABEL: define internal void @barred.groups(
// CHECK: call void %{{.*}}(ptr %group, ptr @barred, i64

// There are loops for y and z only if the code uses these ids.
kernel void rows(global int* a) { a[get_global_id(1)] = 1; }
// CHECK-LABEL: define internal void @rows(
// CHECK: z:
// CHECK: y{{[0-9]*}}:
// CHECK: x{{[0-9]*}}:
kernel void like_rows(global int* a) { a[get_global_id(0)] += get_group_id(1); }
// CHECK-LABEL: define internal void @like_rows(
// CHECK-NOT: {{^[yz][0-9]*:}}
// CHECK: row:
// CHECK: x{{[0-9]*}}:
