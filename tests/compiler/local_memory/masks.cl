// REQUIRES: x86
// RUN: %heddlec %s --cpu=x86-64-v4 --local=16 --width=16 --stage=optimize | FileCheck %s
// RUN: %heddlec %s --cpu=x86-64-v4 --local=16 --width=16 -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// A store under a mask that depends on the data is a choice between the value before and the new
// one, and the branch around it is gone.
kernel void sort(global uint* data) {
  local uint t[32];
  uint l = get_local_id(0), base = get_group_id(0) * 32;
  t[l] = data[base + l];
  t[l + 16] = data[base + l + 16];
  for (uint size = 2; size <= 32; size *= 2)
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint i = 2 * l - (l & (stride - 1)), j = i + stride, a = t[i], b = t[j];
      if ((a > b) == ((i & size) == 0)) {
        t[i] = b;
        t[j] = a;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[base + l] = t[l];
  data[base + l + 16] = t[l + 16];
}
// CHECK-LABEL: define internal void @sort(
// CHECK-NOT: br i1 %any
// CHECK-NOT: {{masked|store}}{{.*}}addrspace(3)
// CHECK: select <16 x i1>
// CHECK-NOT: br i1 %any
// CHECK-NOT: {{masked|store}}{{.*}}addrspace(3)
// CHECK: ret void
// EXPLAIN: kernel 'sort': {{.*}}; local memory in registers, as

// Code that loads from other memory is not executed for a condition that may be false.
kernel void guarded(global uint* data, global const uint* more, uint n) {
  local uint t[16];
  uint l = get_local_id(0);
  t[l] = data[get_global_id(0)];
  for (uint s = 8; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (n > 5) // also for a null pointer
      t[l] += more[s];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      t[l] += t[l + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = t[l];
}
// CHECK-LABEL: define internal void @guarded(
// CHECK: store <16 x i32> %{{[^,]*}}, ptr addrspace(3)
