// RUN: %heddlec %s --disjoint --extensions="__opencl_c_images cl_khr_mipmap_image" --stage=assume-disjoint-arguments -- -cl-std=CL3.0 | FileCheck %s
// Levels of an image are found through a second pointer of its descriptor.

// CHECK: define {{.*}} @levels.body(ptr addrspace(2) {{[^,]*}}%picture, i64 {{[^,]*}}%s, ptr addrspace(1) noalias
// CHECK: load ptr addrspace(2)
kernel void levels(read_only image2d_t picture, sampler_t s, global float* out, int n) {
  for (int i = 0; i < n; ++i)
    out[0] += read_imagef(picture, s, (float2)(0.5f), (float)i).x;
}
