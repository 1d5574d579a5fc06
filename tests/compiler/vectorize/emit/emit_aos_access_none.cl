// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s

// Three components are not accessed in one chunk: two are gathered as one integer.
kernel void triples(global float* a, global const float* table, global const int* at) {
  size_t i = get_global_id(0);
  float3 v = vload3(at[i], table);
  a[i] = v.x - v.y * v.z;
}
// CHECK-LABEL: define internal void @triples.whole(
// CHECK: call <8 x i64> @llvm.masked.gather.v8i64
// CHECK: call <8 x float> @llvm.masked.gather.v8f32
// CHECK-NOT: gather
// CHECK: store <8 x float>
