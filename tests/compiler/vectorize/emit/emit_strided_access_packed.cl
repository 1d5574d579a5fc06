// RUN: %heddlec %s --stage=vectorize --width=16 | FileCheck %s
// Consecutive vectors of narrow components are accessed as one integer per lane.
kernel void brighter(global uchar4* out, global const uchar4* in) {
  size_t i = get_global_id(0);
  out[i] = in[i] + (uchar)10;
}
// CHECK-LABEL: define internal void @brighter.whole(
// CHECK: [[W:%.*]] = load <16 x i32>, ptr addrspace(1) %{{.*}}, align 4
// CHECK: trunc <16 x i32> %{{.*}} to <16 x i8>
// CHECK: [[Y:%.*]] = lshr <16 x i32> [[W]], splat (i32 8)
// CHECK: trunc <16 x i32> [[Y]] to <16 x i8>
// CHECK: [[A:%.*]] = zext <16 x i8> %{{.*}} to <16 x i32>
// CHECK: [[B:%.*]] = shl <16 x i32> %{{.*}}, splat (i32 8)
// CHECK: [[C:%.*]] = shl <16 x i32> %{{.*}}, splat (i32 24)
// CHECK: [[O:%.*]] = or <16 x i32> %{{.*}}, [[C]]
// CHECK: store <16 x i32> [[O]], ptr addrspace(1) %{{.*}}, align 4
// CHECK-LABEL: define internal void @brighter.tail(
// CHECK: call <16 x i32> @llvm.masked.load.v16i32
// CHECK: call void @llvm.masked.store.v16i32

// Also on the path of a speculative load whose check has succeeded.
kernel void shifted(global short2* out, global const short2* in, uint by) {
  size_t i = get_global_id(0);
  uint j = get_global_id(0) + by;
  out[i] = in[j].yx;
}
// CHECK-LABEL: define internal void @shifted.whole(
// CHECK: strided:
// CHECK: load <16 x i32>, ptr addrspace(1) %{{.*}}, align 4
// CHECK: store <16 x i32>
