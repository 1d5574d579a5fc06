// REQUIRES: x86
// RUN: %heddlec %s --check=memory --cpu=x86-64-v3 --verify-each --stage=vectorize -- | FileCheck %s
// RUN: %heddlec %s --check=memory --cpu=x86-64-v3 --verify-each --stage=optimize-vectorized -- | FileCheck %s --check-prefix=OPTIMIZED

// Consecutive lanes: the first and the last one are compared, and each lane is told only if that fails. Both accesses of
// `in` have one check.
// CHECK-LABEL: define internal void @strided.whole(
// CHECK: icmp ult i64 {{.*}}, %[[COUNT:[^ ]*]]
// CHECK: icmp ult i64 {{.*}}, %[[COUNT]]
// CHECK: br i1 {{.*}}, label %checked, label %check.lanes, {{.*}}!prof
// CHECK: check.lanes:
// CHECK-NEXT: ptrtoint ptr addrspace(1)
// CHECK-NEXT: call void @heddle.check_lanes.8.0(i64 255, i64 4, i64 %{{[0-9]+}}, i64 %in.begin,
// CHECK-NEXT: br label %checked
// CHECK: load <8 x float>, ptr addrspace(1)
// CHECK: load <8 x float>, ptr addrspace(1)
// CHECK: ret void
kernel void strided(global float* out, global const float* in) {
  size_t i = get_global_id(0);
  out[i] = in[i] + in[i + 1];
}
// Other lanes: all addresses are.
// CHECK-LABEL: define internal void @gathered.whole(
// CHECK: icmp ult <8 x i64>
// CHECK: call void @heddle.check_lanes.8.4(i64 255, i64 0, <8 x i64>
kernel void gathered(global float* out, global const float* in, global const int* index) {
  size_t i = get_global_id(0);
  out[i] = in[index[i]];
}
// Lanes that are consecutive unless an index is clamped, in runs of such accesses, whose checks are part of them.
// CHECK-LABEL: define internal void @clamped.whole(
// CHECK: check.strided:
// OPTIMIZED-LABEL: define {{.*}}@clamped(
// OPTIMIZED-NOT: icmp ult <{{[0-9]+}} x i64>
// OPTIMIZED: load <{{[0-9]+}} x float>
kernel void clamped(global float* out, global const float* in, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += in[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
  out[y * width + x] = sum;
}
