// RUN: %heddlec %s --stage=simplify -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --stage=work-groups -- -cl-std=CL3.0 | FileCheck --check-prefix=CAST %s
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

// Pointers to variables and local memory are of their own address space from the start: what looks
// through casts would find private memory behind them.
global int count;
kernel void variables(global int* a, local int* part) {
  local int more[8];
  more[a[2]] = count;
  part[a[3]] = 1;
  count = more[a[4]] + part[a[5]];
}
// CAST-LABEL: define {{.*}}@variables.body(
// CAST-NOT: addrspacecast
