// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=znver5 | FileCheck %s
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=sapphirerapids | FileCheck %s --check-prefix=FAST
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=sapphirerapids,slow-scatters | FileCheck %s
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=znver5,fast-scatters | FileCheck %s --check-prefix=FAST

// Zen's scatters are microcode: where lanes' addresses have a known distance, there is a store for each.
// CHECK-LABEL: define internal void @columns.whole(
// CHECK-NOT: llvm.masked.scatter
// CHECK-COUNT-16: store float
// CHECK-NOT: llvm.masked.scatter
// CHECK: ret void
// FAST-LABEL: define internal void @columns.whole(
// FAST: llvm.masked.scatter
kernel void columns(global float* out, global const float* in) {
  const size_t i = get_global_id(0);
  out[i * 100] = in[i];
}

// Or a distance that is checked.
// CHECK-LABEL: define internal void @transposed.whole(
// CHECK-COUNT-16: store float
// CHECK: llvm.masked.scatter
// CHECK: ret void
kernel void transposed(global float* out, global const float* in) {
  const int i = get_global_id(0);
  out[(i & 127) * 256 + (i >> 7)] = in[i];
}

// Addresses in registers would have to be taken from there.
// CHECK-LABEL: define internal void @table.whole(
// CHECK: llvm.masked.scatter
// CHECK: ret void
kernel void table(global float* out, global const float* in, global const int* at) {
  const size_t i = get_global_id(0);
  out[at[i]] = in[i];
}
