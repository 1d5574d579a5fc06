// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=x86-64-v4 | FileCheck %s

// Bytes at places that only each work-item knows, in an unrolled loop: in place each store would be
// 16, with as many addresses, and the kernel too long to be vectorized. A function has them once.
kernel void many(global uchar* text, global const uint* lengths) {
  size_t i = get_global_id(0);
  uint length = lengths[i];
  global uchar* own = text + i * 4096;
#pragma unroll
  for (uint k = 0; k < 64; ++k)
    own[(k * length) ^ 3] = k;
}
// CHECK-LABEL: define internal void @many.whole(
// CHECK-COUNT-64: call void @heddle.store.lanes.v16i8.p1.1(<16 x i8> {{.*}}, <16 x ptr addrspace(1)>
// CHECK-NOT: store i8
// CHECK: ret void

// Few are stored in place.
kernel void few(global uchar* text, global const uint* lengths) {
  size_t i = get_global_id(0);
  text[lengths[i]] = 1;
}
// CHECK-LABEL: define internal void @few.whole(
// CHECK-NOT: call void @heddle.store.lanes
// CHECK-COUNT-16: store i8

// Lanes behind a condition that others do not reach store elsewhere.
kernel void masked(global uchar* text, global const uint* lengths) {
  size_t i = get_global_id(0);
  uint length = lengths[i];
  global uchar* own = text + i * 4096;
  if (length > 7)
#pragma unroll
    for (uint k = 1; k < 64; ++k)
      own[(k * length) ^ 3] = k;
}
// CHECK-LABEL: define internal void @masked.whole(
// CHECK: %[[TO:.*]] = select <16 x i1> %{{.*}}, <16 x ptr addrspace(1)> %{{.*}}, <16 x ptr addrspace(1)>
// CHECK: call void @heddle.store.lanes.v16i8.p1.1(<16 x i8> {{.*}}, <16 x ptr addrspace(1)> %[[TO]])
