// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s

// A speculative store: consecutive, or else a scatter.
kernel void written(global const float* in, global float* out, uint from) {
  size_t i = get_global_id(0);
  out[from + (uint)get_local_id(0)] = in[i];
}
// CHECK-LABEL: define internal void @written.whole(
// CHECK: icmp ule i32 %{{.*}}, -8
// CHECK: br i1 %{{.*}}, label %strided, label %not.strided
// CHECK: strided:
// CHECK: store <8 x float>
// CHECK-NEXT: br label %store.done
// CHECK: not.strided:
// CHECK: call void @llvm.masked.scatter.v8f32
// CHECK-NEXT: br label %store.done
