// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 --width=64 --stage=vectorize %s | FileCheck %s
// Tiles of local memory: both columns of a work-item are moved at once, though what is loaded is stored in between,
// and the constant is in an inner term of the address.
// CHECK-LABEL: define {{.*}} @tile.whole(
// CHECK: load <128 x float>, ptr addrspace(1)
// CHECK: load <128 x float>, ptr addrspace(1)
// CHECK: store <128 x float> {{.*}}, ptr addrspace(3)
// CHECK: store <128 x float> {{.*}}, ptr addrspace(3)
// CHECK: load <128 x float>, ptr addrspace(3)
// CHECK-NOT: masked
// CHECK: }
kernel void tile(global float* out, global const float* in, local float* t, int columns, int offset) {
  int x = get_local_id(0);
  t[2 * x] = in[(2 * x) + offset];
  t[130 + 2 * x] = in[columns + (2 * x) + offset];
  t[2 * x + 1] = in[(2 * x + 1) + offset];
  t[130 + 2 * x + 1] = in[columns + (2 * x + 1) + offset];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[x] = t[131 + 2 * x] - t[130 + 2 * x];
}

// Not what may be the same memory.
// CHECK-LABEL: define {{.*}} @same.whole(
// CHECK: masked.load
// CHECK: masked.load
// CHECK: }
kernel void same(global float* out, global const float* in, int a, int b) {
  int x = get_local_id(0);
  out[2 * x + a] = in[2 * x];
  out[2 * x + b] = in[2 * x + 1];
}

// Pairs under masks, in local memory and global memory.
// CHECK-LABEL: define {{.*}} @pairs.whole(
// CHECK: masked.load.v128f32.p3
// CHECK-NOT: masked.load
// CHECK: masked.store.v128f32.p1
// CHECK-NOT: masked.store
// CHECK: }
kernel void pairs(global float2* out, local float2* t, int n) {
  int x = get_local_id(0);
  if ((x ^ n) % 3 == 0) {
    float2 v = (float2)(t[x].y, t[x].x);
    out[x].x = v.x;
    out[x].y = v.y;
  }
}
