// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=x86-64-v4 | FileCheck %s
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=x86-64-v3 | FileCheck %s --check-prefix=LANES
// Values of eight bytes at arbitrary addresses: one gather of i64 and shuffles. Without gather
// instructions a load per lane, and inactive lanes load from a constant.
kernel void pairs(global float* a, global const float2* table, global const int* at) {
  size_t i = get_global_id(0);
  float2 v = table[at[i]];
  a[i] = v.x - v.y;
}
// CHECK-LABEL: define internal void @pairs.whole(
// CHECK: [[W:%.*]] = call <16 x i64> @llvm.masked.gather.v16i64{{.*}}<16 x i1> splat (i1 true)
// CHECK: [[V:%.*]] = bitcast <16 x i64> [[W]] to <32 x float>
// CHECK: [[X:%.*]] = shufflevector <32 x float> [[V]], <32 x float> poison, <16 x i32> <i32 0, i32 2,
// CHECK: [[Y:%.*]] = shufflevector <32 x float> [[V]], <32 x float> poison, <16 x i32> <i32 1, i32 3,
// CHECK: fsub <16 x float> [[X]], [[Y]]
// CHECK-LABEL: define internal void @pairs.tail(
// CHECK: call <16 x i64> @llvm.masked.gather.v16i64{{.*}}<16 x i1> %
// CHECK-NOT: call {{.*}}masked.gather
// LANES-LABEL: define internal void @pairs.whole(
// LANES-COUNT-16: load i64, ptr addrspace(1) %{{.*}}, align 1, {{.*}}!tbaa
// LANES-LABEL: define internal void @pairs.tail(
// LANES: [[SAFE:%.*]] = select <16 x i1> %{{.*}}, <16 x ptr addrspace(1)> %{{.*}}, <16 x ptr addrspace(1)> <ptr addrspace(1) @heddle.inactive.1,
// LANES: [[P:%.*]] = extractelement <16 x ptr addrspace(1)> [[SAFE]], i64 0
// LANES: load i64, ptr addrspace(1) %{{.*}}, align 1, {{.*}}!tbaa
// LANES-NOT: masked.gather

// Narrow components are extracted from the gathered integers by shifts.
kernel void pixels(global uint* a, global const uchar4* table, global const int* at) {
  size_t i = get_global_id(0);
  a[i] = table[at[i]].z;
}
// CHECK-LABEL: define internal void @pixels.whole(
// CHECK: [[W:%.*]] = call <16 x i32> @llvm.masked.gather.v16i32
// CHECK: [[Z:%.*]] = lshr <16 x i32> [[W]], splat (i32 16)
// CHECK: trunc <16 x i32> [[Z]] to <16 x i8>
