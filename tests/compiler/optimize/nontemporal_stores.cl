// REQUIRES: x86
// RUN: %heddlec %s --stage=work-groups --width=16 --cpu=x86-64-v4 | FileCheck %s
// RUN: %heddlec %s --stage=work-groups --width=8 --cpu=x86-64-v3 | FileCheck --check-prefix=PLAIN %s
// RUN: %heddlec %s --stage=work-groups --width=16 --cpu=x86-64-v3 | FileCheck %s
// Whole lines that a kernel does not read are stored past the caches by launches that do not fit into them.
kernel void streams(global float* to, global const float* from) {
  size_t i = get_global_id(0);
  to[i] = from[i] * 2;
}
// CHECK-LABEL: define internal void @streams.whole(
// CHECK: icmp ugt i64 %{{.*}}, 6291456
// CHECK: store <16 x float> {{.*}}, align 64, {{.*}}!nontemporal
// CHECK: store <16 x float> {{.*}}, align 1
// CHECK-LABEL: define internal void @streams(
// CHECK: call void @llvm.x86.sse.sfence()
// PLAIN-NOT: !nontemporal

// Behind a bounds check, too.
kernel void checked(global float* out, global const float* in, uint n) {
  size_t i = get_global_id(0);
  if (i < n)
    out[i] = in[i] * 2;
}
// CHECK-LABEL: define internal void @checked.whole(
// CHECK: store <16 x float> {{.*}}, align 64{{.*}}!nontemporal
// CHECK: ret void

// What is read is in the caches.
kernel void in_place(global float* a) {
  size_t i = get_global_id(0);
  a[i] = a[i] * 2;
}
// CHECK-LABEL: define internal void @in_place.whole(
// CHECK-NOT: nontemporal
// CHECK: ret void

// In loops, what is stored may be read or stored again.
kernel void loops(global float* to, global const float* from, int n) {
  size_t i = get_global_id(0);
  for (int j = 0; j < n; ++j)
    to[i] = from[i + j] * 2;
}
// CHECK-LABEL: define internal void @loops.whole(
// CHECK-NOT: nontemporal
// CHECK: ret void
