// RUN: %heddlec %s --disjoint --stage=assume-disjoint-arguments | FileCheck %s
// RUN: %heddlec %s --stage=assume-disjoint-arguments | FileCheck %s --check-prefix=PLAIN
// Pointers to global memory are marked as noalias if the kernel writes to one of several in a loop.

// CHECK: define {{.*}} @sum.body(ptr addrspace(1) noalias {{.*}}%in, ptr addrspace(1) noalias {{.*}}%out,
// PLAIN: define {{.*}} @sum.body(ptr addrspace(1) noundef {{.*}}%in, ptr addrspace(1) noundef {{.*}}%out,
kernel void sum(global const int* in, global int* out, int n) {
  for (int i = 0; i < n; ++i)
    out[0] += in[i];
}

// Not without a loop, in which it would matter most,
// CHECK: define {{.*}} @straight.body(ptr addrspace(1) noundef
kernel void straight(global const int* in, global int* out) {
  out[get_global_id(0)] = in[get_global_id(0)];
}

// where nothing is written,
// CHECK: define {{.*}} @reads.body(ptr addrspace(1) noundef
kernel void reads(global const int* in, global const int* also, local int* out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = in[i] + also[i];
}

// or where a pointer comes from memory
struct node {
  global int* next;
};
// CHECK: define {{.*}} @follows.body(ptr addrspace(1) noundef
kernel void follows(global const struct node* node, global int* out, int n) {
  for (int i = 0; i < n; ++i)
    out[0] += node->next[i];
}

// or from an integer.
// CHECK: define {{.*}} @from_integer.body(ptr addrspace(1) noundef
kernel void from_integer(global const ulong* address, global int* out, int n) {
  for (int i = 0; i < n; ++i)
    out[0] += ((global int*)address[0])[i];
}
