// RUN: %heddlec %s --stage=add-work-item-params | FileCheck %s
// Only functions that need to know their work-item get the hidden parameters.
// CHECK-LABEL: define internal i32 @plain(i32 noundef %x)
int plain(int x) { return x + 1; }
// CHECK-LABEL: define internal void @k.body(ptr addrspace(1) {{.*}}%a, ptr {{.*}}%group, i64 %local_x, i64 %local_y, i64 %local_z)
// CHECK: call i32 @plain(i32 noundef
// CHECK: call i64 @indirect(ptr %group, i64 %local_x, i64 %local_y, i64 %local_z)
// CHECK-LABEL: define internal i64 @direct(ptr {{.*}}%group, i64 %local_x
ulong direct(void) { return get_local_id(0); }
// CHECK-LABEL: define internal i64 @indirect(ptr {{.*}}%group, i64 %local_x
ulong indirect(void) { return direct() + 1; }
kernel void k(global int* a) { a[0] = plain(1) + indirect(); }
