// REQUIRES: x86
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

// Three bytes as a word, unless one is at the end of a page, behind which there may be nothing. Under a mask, lanes that
// are not active load from a constant.
// CHECK-LABEL: define internal void @bytes.whole(
// CHECK: select <16 x i1> %{{.*}}, <16 x ptr addrspace(1)> %{{.*}}, <16 x ptr addrspace(1)> {{.*}}@heddle.inactive.1
// CHECK: and <16 x i64> %{{.*}}, splat (i64 4095)
// CHECK: icmp ugt <16 x i64> %{{.*}}, splat (i64 4092)
// CHECK: br i1 %any{{.*}}, label %triples, label %words
// CHECK: words:
// CHECK-COUNT-16: load i32, ptr addrspace(1) %{{.*}}, align 1
// CHECK: triples:
// CHECK-COUNT-16: call <4 x i8> @llvm.masked.load.v4i8{{.*}} <4 x i8> zeroinitializer
// CHECK: ret void
// AVX2-LABEL: define internal void @bytes.whole(
// AVX2-COUNT-8: load i32, ptr addrspace(1) %{{.*}}, align 1
kernel void bytes(global uchar* a, global const uchar* table, global const int* at) {
  const size_t i = get_global_id(0);
  if (at[i] > 3) {
    const uchar3 v = vload3(at[i], table);
    a[i] = v.x ^ v.y ^ v.z;
  }
}
