// RUN: %heddlec %s --local=64x4 --width=16 --rows=2 --small-ids --stage=vectorize | FileCheck %s
// RUN: %heddlec %s --local=64x4 --width=16 --rows=2 --small-ids --stage=work-groups | FileCheck %s --check-prefix=LOOPS
// RUN: %heddlec %s --local=64x4 --width=16 --rows=2 --stage=vectorize | FileCheck %s --check-prefix=LARGE
// RUN: %heddlec %s --local=64x4 --width=16 --rows=2 --small-ids --partial-groups --stage=vectorize | FileCheck %s --check-prefix=LARGE
// RUN: %heddlec %s --local=40x4 --width=16 --rows=2 --small-ids --stage=vectorize | FileCheck %s --check-prefix=LARGE
// In launches whose ids are small no narrowed id wraps around, so that whole groups of rows of whole
// sub-groups need no masked variant.

// CHECK-NOT: @barriers.tail
// LOOPS-LABEL: define {{.*}}void @barriers(
// LOOPS-NOT: wrap
// LOOPS: call {{.*}}@barriers.block(
// LOOPS-NOT: @barriers.whole(
// LOOPS: ret void
// LARGE: @barriers.tail
kernel void barriers(global float* out, global const float* in, int n) {
  local float tile[64 * 4];
  int x = get_global_id(0), y = get_global_id(1), l = get_local_id(1) * 64 + get_local_id(0);
  tile[l] = in[y * n + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * n + x] = tile[l ^ 1];
}

// A product may wrap around nevertheless.
// CHECK: @scaled.tail
// LARGE: @scaled.tail
kernel void scaled(global float* out, int n) {
  int at = get_global_id(0) * 64;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[at + n] = n;
}
