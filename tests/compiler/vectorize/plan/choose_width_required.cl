// RUN: %heddlec %s --stage=vectorize --width=16 | FileCheck %s
// intel_reqd_sub_group_size comes before everything else.
kernel __attribute__((intel_reqd_sub_group_size(4))) void k(global int* a) {
  size_t i = get_global_id(0);
  a[i] += 1;
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: load <4 x i32>, ptr addrspace(1)
// CHECK: store <4 x i32>
