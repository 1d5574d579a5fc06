// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A loop that work-items share out has no masks and no checks in the rounds that all lanes are in:
// those in which lane 0's index is below the limit by a sub-group. The rest is masked.
kernel void k(const global float* a, global float* b, uint n) {
  for (uint i = get_local_id(0); i < n; i += get_local_size(0))
    b[i] = a[i] * a[i];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[LIMIT:%.*]] = sub i32 %n, 7
// CHECK: [[IS_BELOW:%.*]] = icmp ult i32 %{{.*}}, [[LIMIT]]
// CHECK: [[HAS_ROOM:%.*]] = icmp uge i32 %n, 7
// CHECK: [[IS_WHOLE:%.*]] = and i1 [[HAS_ROOM]], [[IS_BELOW]]
// CHECK: br i1 [[IS_WHOLE]]
// CHECK: for.body.unmasked:
// CHECK-NOT: br i1
// CHECK: load <8 x float>
// CHECK-NOT: br i1
// CHECK: store <8 x float>
// CHECK-NOT: br i1
// CHECK: br i1 %all_in_bound
// CHECK: for.body:
// CHECK: @llvm.masked.load.v8f32
// CHECK: @llvm.masked.store.v8f32

// Bits that the limit leaves in a narrowed index are all it has, and a tile in local memory is
// gone through in the same way; the barriers are where they were.
kernel void tile(const global int* a, global int* b, local int* c) {
  int l = get_local_id(0);
  for (int i = l; i < 512; i += get_local_size(0))
    c[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = l; i < 500; i += get_local_size(0))
    b[i] = c[i] + c[i + 12];
}
// CHECK-LABEL: define internal i32 @tile.whole(
// CHECK: for.body{{.*}}.unmasked{{.*}}:
// CHECK-NOT: br i1
// CHECK: load <8 x i32>, ptr addrspace(1)
// CHECK-NOT: br i1
// CHECK: store <8 x i32> %{{.*}}, ptr addrspace(3)
// CHECK: br i1
// CHECK: for.body{{.*}}.unmasked{{.*}}:
// CHECK-NOT: br i1
// CHECK: load <8 x i32>, ptr addrspace(3)
// CHECK-NOT: br i1
// CHECK: load <8 x i32>, ptr addrspace(3)
// CHECK-NOT: br i1
// CHECK: store <8 x i32>
// CHECK: ret i32

// Nor are there two of a barrier.
kernel void meet(local int* a, int n) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) {
    a[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
// CHECK-LABEL: define internal i32 @meet.whole(
// CHECK-NOT: whole
// CHECK: ret i32
