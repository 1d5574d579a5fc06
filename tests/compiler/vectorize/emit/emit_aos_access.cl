// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// Values of 16 bytes or more at arbitrary addresses: a load per lane, and a transposition within
// blocks of as many lanes as the value has components. Inactive lanes load from a constant.
kernel void k(global float* a, global const float4* table, global const int* at) {
  size_t i = get_global_id(0);
  float4 v = table[at[i]];
  a[i] = (v.x - v.y) / (v.z - v.w);
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK-COUNT-8: load <4 x float>, ptr addrspace(1) %{{.*}}, align 1, {{.*}}!tbaa
// CHECK-NOT: load <4 x float>
// CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> %{{.*}}, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4,
// CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
// CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
// CHECK-LABEL: define internal void @k.tail(
// CHECK: select <8 x i1> %{{.*}}, <8 x ptr addrspace(1)> %{{.*}}, <8 x ptr addrspace(1)> <ptr addrspace(1) @heddle.inactive.1,
// CHECK-COUNT-8: load <4 x float>, ptr addrspace(1) %{{.*}}, align 1, {{.*}}!tbaa
// CHECK-NOT: masked.gather
// CHECK: ret void

// Values of 32 bytes are loaded in two chunks.
kernel void halves(global double* a, global const double4* table, global const int* at) {
  size_t i = get_global_id(0);
  double4 v = table[at[i]];
  a[i] = (v.x - v.y) / (v.z - v.w);
}
// CHECK-LABEL: define internal void @halves.whole(
// CHECK-COUNT-8: load <2 x double>, ptr addrspace(1) %{{.*}}, align 1
// CHECK: [[UPPER:%.*]] = getelementptr i8, ptr addrspace(1) %{{.*}}, i64 16
// CHECK: load <2 x double>, ptr addrspace(1) [[UPPER]], align 1
// CHECK-COUNT-7: load <2 x double>, ptr addrspace(1) %{{.*}}, align 1
// CHECK-NOT: load <2 x double>
// CHECK-LABEL: define internal void @halves.tail(
