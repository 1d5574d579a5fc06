// RUN: %heddlec %s --stage=vectorize --width=16 | FileCheck %s
// Consecutive vectors of narrow components are accessed as one vector of all components, whose
// shuffles are omitted where components are computed alike; under a mask as one integer per lane.
kernel void brighter(global uchar4* out, global const uchar4* in) {
  size_t i = get_global_id(0);
  out[i] = in[i] + (uchar)10;
}
// CHECK-LABEL: define internal void @brighter.whole(
// CHECK: [[W:%.*]] = load <64 x i8>, ptr addrspace(1) %{{.*}}, align 1
// CHECK: shufflevector <64 x i8> [[W]], <64 x i8> poison, <16 x i32> <i32 0, i32 4, i32 8,
// CHECK: [[O:%.*]] = shufflevector <64 x i8> {{.*}} <i32 0, i32 16, i32 32, i32 48, i32 1,
// CHECK: store <64 x i8> [[O]], ptr addrspace(1) %{{.*}}, align 1
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
// CHECK: load <32 x i16>, ptr addrspace(1) %{{.*}}, align 1
// CHECK: store <32 x i16>

// Bytes that are converted to and from words also without a mask.
kernel void darker(global uchar4* out, global const uchar4* in) {
  size_t i = get_global_id(0);
  out[i] = convert_uchar4(convert_float4(in[i]) * 0.5f);
}
// CHECK-LABEL: define internal void @darker.whole(
// CHECK: [[W:%.*]] = load <16 x i32>, ptr addrspace(1) %{{.*}}, align 1
// CHECK: trunc <16 x i32> %{{.*}} to <16 x i8>
// CHECK: [[Y:%.*]] = lshr <16 x i32> [[W]], splat (i32 8)
// CHECK: store <16 x i32> %{{.*}}, ptr addrspace(1) %{{.*}}, align 1
