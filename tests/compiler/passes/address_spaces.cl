// RUN: %heddlec %s --stage=simplify | %filecheck %s
// A store to local memory leaves what was read of a buffer as it is.
kernel void k(global int* a, local int* part) {
  int before = a[0];
  part[get_local_id(0)] = before;
  a[1] = a[0];
}
// CHECK-LABEL: define {{.*}}@k.body(
// CHECK: load i32, ptr addrspace(1)
// CHECK-NOT: load i32
// CHECK: ret void
