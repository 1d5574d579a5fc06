// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=64 --cpu=x86-64-v2 | FileCheck %s
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v3 | FileCheck %s --check-prefix=AVX2

// Without masked accesses, which LLVM would expand to a branch for each of 256 elements, strided
// elements of which some are left out are accessed lane by lane.
// CHECK-LABEL: define internal void @fourths.whole(
// CHECK-NOT: call {{.*}}@llvm.masked.{{load|store}}
// CHECK-LABEL: define internal void @fourths.tail(
// CHECK-NOT: call {{.*}}@llvm.masked.{{load|store}}
// CHECK: ret void
// AVX2-LABEL: define internal void @fourths.tail(
// AVX2: call <32 x i32> @llvm.masked.load
// AVX2: call void @llvm.masked.store.v32i32
// AVX2: ret void
kernel void fourths(global uint* out, global const uint* in) {
  const size_t i = get_global_id(0);
  out[4 * i] = in[4 * i + 1];
}
