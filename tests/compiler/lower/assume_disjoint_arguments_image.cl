// RUN: %heddlec %s --disjoint --stage=assume-disjoint-arguments | FileCheck %s
// RUN: %heddlec %s --disjoint --known=2:260 --stage=assume-disjoint-arguments | FileCheck %s
// RUN: %heddlec %s --stage=assume-disjoint-arguments | FileCheck %s --check-prefix=PLAIN
// Images may be made from buffers: the pointers are noalias, beside images, too. The pointers to
// texels, which come from descriptors, are not.

// CHECK: define {{.*}} @image.body(ptr addrspace(1) noalias {{.*}}%in, ptr addrspace(1) noalias {{.*}}%out, ptr addrspace(2) {{[^,]*}}%picture,
// CHECK: load ptr addrspace(1), ptr addrspace(2) %picture
// CHECK-NOT: !alias.scope
// CHECK: ret void
// PLAIN: define {{.*}} @image.body(ptr addrspace(1) noundef
kernel void image(global const int* in, global int* out, read_only image1d_t picture, int n) {
  for (int i = 0; i < n; ++i)
    out[0] += in[i] + read_imagei(picture, i).x;
}
