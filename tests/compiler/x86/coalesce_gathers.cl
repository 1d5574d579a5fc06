// RUN: %heddlec --width=16 --cpu=x86-64-v4 %s --stage=vectorize | FileCheck %s
// RUN: %heddlec --width=16 --cpu=x86-64-v3 %s --stage=vectorize | FileCheck %s --check-prefix=PLAIN
// Orders that are computed from ids: two vectors in place of a gather, and of a scatter if they rise,
// if that turns out to be enough. Not one more page is touched by a load.
kernel void network(global int* a, global int* b, uint stride) {
  uint l = get_global_id(0);
  uint i = 2 * l - (l & (stride - 1));
  b[i ^ stride] = a[i];
}
// CHECK-LABEL: define internal void @network.whole(
// CHECK: [[LAST:%.*]] = or {{.*}}i64 %{{.*}}, 3968
// CHECK: call i64 @llvm.umin.i64(i64 %{{.*}}, i64 [[LAST]])
// CHECK: load <16 x i32>
// CHECK: load <16 x i32>
// CHECK: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
// CHECK: call <16 x i32> @llvm.masked.gather.v16i32
// CHECK: call i32 @llvm.vector.reduce.or.v16i32(
// CHECK-COUNT-2: call <16 x i32> @llvm.x86.avx512.mask.expand.v16i32(
// CHECK: call void @llvm.masked.scatter.v16i32
// CHECK-LABEL: define internal void @network.tail(
// PLAIN-NOT: llvm.x86
// What is read from memory has no order to be looked for.
kernel void table(global int* a, global const int* b) {
  size_t i = get_global_id(0);
  a[i] = b[b[i]];
}
// CHECK-LABEL: define internal void @table.whole(
// CHECK-NOT: vpermi2var
// CHECK: call <16 x i32> @llvm.masked.gather.v16i32
// CHECK-NOT: vpermi2var
// CHECK: ret void

// Limits of indices bring lanes closer, if anything.
kernel void edges(global int* a, global const int* b, int last) {
  int i = get_global_id(0);
  a[i] = b[clamp(i, 0, last)];
}
// CHECK-LABEL: define internal void @edges.tail(
// CHECK: vpermi2var
// CHECK: ret void

// The same of shorts, whose gather reads words in the other case.
kernel void short_edges(global short* a, global const short* b, int last) {
  int i = get_global_id(0);
  a[i] = b[clamp(i, 0, last)];
}
// CHECK-LABEL: define internal void @short_edges.tail(
// CHECK: call <16 x i16> @llvm.x86.avx512.vpermi2var.hi.256(
// CHECK: call <16 x i32> @llvm.masked.gather.v16i32
// CHECK: ret void
