// RUN: %heddlec %s --disjoint --stage=assume-disjoint-arguments | FileCheck %s
// RUN: %heddlec %s --stage=assume-disjoint-arguments | FileCheck %s --check-prefix=PLAIN
// Pointers to global memory are marked as noalias if the kernel writes to one of several in a loop.

// CHECK: define {{.*}} @sum.body(ptr addrspace(1) noalias {{.*}}%in, ptr addrspace(1) noalias {{.*}}%out,
// PLAIN: define {{.*}} @sum.body(ptr addrspace(1) noundef {{.*}}%in, ptr addrspace(1) noundef {{.*}}%out,
kernel void sum(global const int* in, global int* out, int n) {
  for (int i = 0; i < n; ++i)
    out[0] += in[i];
}

// Behind a barrier the work-item reads what others wrote: a pointer that is written is not marked.
// CHECK: define {{.*}} @barriers.body(ptr addrspace(1) noalias {{.*}}%in, ptr addrspace(1) noundef {{.*}}%out,
kernel void barriers(global const int* in, global int* out, int n) {
  for (int i = 0; i < n; ++i) {
    out[get_local_id(0)] += in[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

// CHECK: define {{.*}} @fences.body(ptr addrspace(1) noalias {{.*}}%in, ptr addrspace(1) noundef {{.*}}%out,
kernel void fences(global const int* in, global int* out, int n) {
  for (int i = 0; i < n; ++i) {
    out[get_local_id(0)] += in[i];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
  }
}

// An atomic operation that orders nothing is no fence.
// CHECK: define {{.*}} @counts.body(ptr addrspace(1) noalias {{.*}}%in, ptr addrspace(1) noalias {{.*}}%out,
kernel void counts(global const int* in, global int* out, int n) {
  for (int i = 0; i < n; ++i)
    atomic_inc(&out[in[i]]);
}

// Without a loop if a load is behind a store to another one,
// CHECK: define {{.*}} @in_turn.body(ptr addrspace(1) noalias {{.*}}%in, ptr addrspace(1) noalias {{.*}}%out
kernel void in_turn(global const int* in, global int* out) {
  size_t i = get_global_id(0) * 2;
  out[i] = in[i + 1];
  out[i + 1] = in[i];
}

// and not if it is before,
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
