// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=znver4 | FileCheck %s
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v3 | FileCheck %s --check-prefix=AVX2
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=x86-64-v4 | FileCheck %s --check-prefix=GATHERS

// Three words of each lane are loaded at once where gathers are slow, or none are as good; the fourth is not touched.
// CHECK-LABEL: define internal void @words.whole(
// CHECK-COUNT-16: call <4 x float> @llvm.masked.load.v4f32{{.*}} <4 x i1> <i1 true, i1 true, i1 true, i1 false>
// CHECK-NOT: masked.gather
// CHECK: store <16 x float>
// AVX2-LABEL: define internal void @words.whole(
// AVX2-COUNT-8: call <4 x float> @llvm.masked.load.v4f32
// AVX2: store <8 x float>
// GATHERS-LABEL: define internal void @words.whole(
// GATHERS-COUNT-3: call <16 x float> @llvm.masked.gather.v16f32
kernel void words(global float* a, global const float* table, global const int* at) {
  const size_t i = get_global_id(0);
  const float3 v = vload3(at[i], table);
  a[i] = v.x - v.y * v.z;
}

// Bytes, with all of AVX-512; under a mask as well, from a constant for lanes that are not active.
// CHECK-LABEL: define internal void @bytes.whole(
// CHECK: select <16 x i1> %{{.*}}, <16 x ptr addrspace(1)> %{{.*}}, <16 x ptr addrspace(1)> {{.*}}@heddle.inactive.1
// CHECK-COUNT-16: call <4 x i8> @llvm.masked.load.v4i8{{.*}} <4 x i8> zeroinitializer
// CHECK: ret void
// GATHERS-LABEL: define internal void @bytes.whole(
// GATHERS-COUNT-16: call <4 x i8> @llvm.masked.load.v4i8
// GATHERS: ret void
// AVX2-LABEL: define internal void @bytes.whole(
// AVX2-NOT: masked.load.v4i8
// AVX2: ret void
kernel void bytes(global uchar* a, global const uchar* table, global const int* at) {
  const size_t i = get_global_id(0);
  if (at[i] > 3) {
    const uchar3 v = vload3(at[i], table);
    a[i] = v.x ^ v.y ^ v.z;
  }
}
