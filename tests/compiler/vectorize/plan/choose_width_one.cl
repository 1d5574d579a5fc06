// RUN: %heddlec %s --stage=vectorize --width=1 | FileCheck %s
// A width of one leaves the kernel as it is: no vector form, no masks.
kernel void k(global int* a, global int* b) {
  size_t i = get_global_id(0);
  a[i] = b[i + 5];
}
// CHECK-LABEL: define {{.*}}void @k.body(
// CHECK-NOT: <{{[0-9]+}} x
// CHECK: store i32
// CHECK-NOT: <{{[0-9]+}} x
// CHECK: ret void
// CHECK-NOT: define {{.*}}@k.whole
// CHECK-NOT: define {{.*}}@k.tail
