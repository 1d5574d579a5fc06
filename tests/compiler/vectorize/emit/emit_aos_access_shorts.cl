// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=4 --cpu=x86-64-v4 | FileCheck %s

// Shorts under a mask: inactive lanes load and store elsewhere, without a branch. Elements that are
// not adjacent have the addresses of their lanes in common.
kernel void apart(global ushort* a, global const ushort* table, global const int* at) {
  size_t i = get_global_id(0);
  if (at[i] > 3) {
    global const ushort* from = table + 3 * at[i];
    global ushort* to = a + 3 * at[i];
    const ushort first = from[0], last = from[2];
    to[0] = first ^ 7;
    to[2] = last ^ 7;
  }
}
// CHECK-LABEL: define internal void @apart.whole(
// CHECK-NOT: llvm.masked.gather
// CHECK: %[[PLACES:.*]] = select <4 x i1> %{{.*}}, <4 x ptr addrspace(1)> %[[BASE:.*]], <4 x ptr addrspace(1)> {{.*}}@heddle.inactive.1
// CHECK-NEXT: %[[FIRST:.*]] = extractelement <4 x ptr addrspace(1)> %[[PLACES]], i64 0
// CHECK: load i16, ptr addrspace(1) %[[FIRST]]
// CHECK: select <4 x i1> %{{.*}}, <4 x ptr addrspace(1)> %[[BASE]], <4 x ptr addrspace(1)> {{.*}}@heddle.inactive.1
// CHECK: getelementptr i8, ptr addrspace(1) %{{.*}}, i64 4
// CHECK-NOT: llvm.masked.
// CHECK: select <4 x i1> %{{.*}}, <4 x ptr addrspace(1)> %{{.*}}, <4 x ptr addrspace(1)> %{{.*}}
// CHECK-COUNT-8: store i16
// CHECK-NOT: llvm.masked.scatter

// The distance may be any, since global memory needs no alignment.
kernel void anywhere(global float4* a, global const char* table, global const int* at) {
  size_t i = get_global_id(0);
  if (at[i] > 3)
    a[i] = *(global const float4*)(table + at[i] * 16 + 8);
}
// CHECK-LABEL: define internal void @anywhere.whole(
// CHECK: %[[OWN:.*]] = select <4 x i1> %{{.*}}, <4 x ptr addrspace(1)> %{{.*}}, <4 x ptr addrspace(1)> {{.*}}@heddle.inactive.1
// CHECK-NEXT: %[[LANE:.*]] = extractelement <4 x ptr addrspace(1)> %[[OWN]], i64 0
// CHECK: %[[PLACE:.*]] = getelementptr i8, ptr addrspace(1) %[[LANE]], i64 8
// CHECK: load <4 x float>, ptr addrspace(1) %[[PLACE]], align 1
