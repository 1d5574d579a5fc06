// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s
// Values of eight bytes at arbitrary addresses are scattered as i64. Those of 16 bytes are
// transposed and stored per lane; inactive lanes store to a private variable.
kernel void pairs(global float2* out, global const int* at, global const float2* in) {
  size_t i = get_global_id(0);
  out[at[i]] = in[i].yx;
}
// CHECK-LABEL: define internal void @pairs.whole(
// CHECK: [[W:%.*]] = bitcast <16 x float> %{{.*}} to <8 x i64>
// CHECK: call void @llvm.masked.scatter.v8i64{{.*}}(<8 x i64> [[W]], {{.*}}<8 x i1> splat (i1 true)

kernel void quads(global float4* out, global const int* at, global const float4* in) {
  size_t i = get_global_id(0);
  out[at[i]] = in[i].wzyx;
}
// CHECK-LABEL: define internal void @quads.whole(
// CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
// CHECK: [[V:%.*]] = shufflevector <8 x float> %{{.*}}, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
// CHECK: [[U:%.*]] = shufflevector <8 x float> %{{.*}}, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
// CHECK-COUNT-8: store <4 x float> %{{.*}}, ptr addrspace(1) %{{.*}}, align 1
// CHECK-NOT: store
// CHECK-LABEL: define internal void @quads.tail(
// CHECK: alloca [192 x i8], align 128
// CHECK: select <8 x i1> %{{.*}}, <8 x ptr addrspace(1)> %{{.*}}, <8 x ptr addrspace(1)> %
// CHECK-COUNT-8: store <4 x float> %{{.*}}, ptr addrspace(1) %{{.*}}, align 1
// CHECK-NOT: call {{.*}}masked.scatter
// CHECK: ret void
