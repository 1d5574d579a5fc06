// RUN: %heddlec %s --disjoint --stage=assume-disjoint-arguments | FileCheck %s
// Images may be made from buffers.

// CHECK: define {{.*}} @image.body(ptr addrspace(1) noundef
kernel void image(global const int* in, global int* out, read_only image1d_t picture, int n) {
  for (int i = 0; i < n; ++i)
    out[0] += in[i] + read_imagei(picture, i).x;
}
