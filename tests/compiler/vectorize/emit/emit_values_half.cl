// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// half is loaded, converted and stored in vectors.
kernel void k(global half* a, global float* b) {
  size_t i = get_global_id(0);
  vstore_half(vload_half(i, a) * b[i], i, a);
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[H:%.*]] = load <8 x half>
// CHECK: fpext <8 x half> [[H]] to <8 x float>
// CHECK: [[R:%.*]] = fptrunc <8 x float> %{{.*}} to <8 x half>
// CHECK: store <8 x half> [[R]]
