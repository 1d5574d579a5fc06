// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=x86-64-v4 | FileCheck %s
// RUN: %heddlec %s --stage=work-groups --width=16 --cpu=x86-64-v4 | FileCheck %s --check-prefix=LOOPS
// A large stride between lanes and consecutive addresses between rows: interleaved rows access one
// vector per lane, which is transposed.
kernel void columns(global float* out, global const float* in, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * h + y] = in[y * w + x];
}
// CHECK-LABEL: define internal void @columns.whole(
// CHECK: llvm.masked.scatter
// CHECK-LABEL: define internal void @columns.block(
// CHECK-COUNT-8: load <16 x float>
// CHECK-NOT: scatter
// CHECK-COUNT-16: store <8 x float>
// CHECK: ret void

// Rows are not interleaved in groups in which ids in y overflow i32: their addresses are not
// consecutive.
// LOOPS-LABEL: define {{.*}}void @columns(
// LOOPS: icmp ule i32 %{{.*}}, 2113536
// LOOPS: %rows_in_blocks = select

kernel void gathers(global float* out, global const float* in, ulong w, ulong h) {
  size_t x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[x * h + y];
}
// CHECK-LABEL: define internal void @gathers.block(
// CHECK-COUNT-16: load <8 x float>
// CHECK-NOT: gather
// CHECK-COUNT-8: store <16 x float>

// Not consecutive between rows: nothing is transposed.
kernel void every_other(global float* out, global const float* in, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * h + 2 * y] = in[y * h + x];
}
// CHECK-NOT: @every_other.block(
