// RUN: %heddlec %s --disjoint --stage=assume-disjoint-arguments | FileCheck %s
// One pointer beside images.

// CHECK: define {{.*}} @sum.body(ptr addrspace(2) {{[^,]*}}%picture, ptr addrspace(1) noalias
kernel void sum(read_only image2d_t picture, global float* out, int n) {
  for (int i = 0; i < n; ++i)
    out[0] += read_imagef(picture, (int2)(i, 0)).x;
}

// Not where only an image is written,
// CHECK: define {{.*}} @writes_image.body(ptr addrspace(2) {{[^,]*}}%picture, ptr addrspace(1) noundef
kernel void writes_image(write_only image2d_t picture, global const float* in, int n) {
  for (int i = 0; i < n; ++i)
    write_imagef(picture, (int2)(i, 0), (float4)(in[0]));
}

// or where a pointer comes from memory.
struct node {
  global int* next;
};
// CHECK: define {{.*}} @follows.body(ptr addrspace(2) {{[^,]*}}%picture, ptr addrspace(1) noundef
kernel void follows(read_only image1d_t picture, global const struct node* node, global int* out, int n) {
  for (int i = 0; i < n; ++i)
    out[0] += node->next[read_imagei(picture, i).x];
}

// or where loops do not write to a pointer: they gain nothing.
// CHECK: define {{.*}} @writes_behind.body(ptr addrspace(2) {{[^,]*}}%picture, ptr addrspace(1) noundef
kernel void writes_behind(read_only image2d_t picture, global const float* in, global float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[0] * read_imagef(picture, (int2)(i, 0)).x;
  out[0] = sum;
}

// Nor where the kernel has barriers.
// CHECK: define {{.*}} @barriers.body(ptr addrspace(2) {{[^,]*}}%picture, ptr addrspace(1) noundef
kernel void barriers(read_only image2d_t picture, global const float* in, global float* out, int n) {
  for (int i = 0; i < n; ++i) {
    out[get_local_id(0)] += in[0] * read_imagef(picture, (int2)(i, 0)).x;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
