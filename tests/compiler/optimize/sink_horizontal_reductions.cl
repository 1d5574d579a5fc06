// RUN: %heddlec %s --stage=optimize --width=8 -- -cl-std=CL3.0 | FileCheck %s
// What all lanes of a sub-group add to one place of local memory is added up in a vector over all
// sub-groups of the group, and put together once.
kernel void most(global uint* out, global const uint* in) {
  local uint m;
  if (get_local_id(0) == 0)
    m = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max(&m, in[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = m;
}
// CHECK-LABEL: define internal void @most(
// CHECK: [[SUMS:%.*]] = phi <8 x i32>
// CHECK: [[LANES:%.*]] = load <8 x i32>, ptr addrspace(1)
// CHECK: [[NEXT:%.*]] = {{.*}}call <8 x i32> @llvm.umax.v8i32(<8 x i32> [[SUMS]], <8 x i32> [[LANES]])
// CHECK-NOT: store
// CHECK: br i1
// CHECK: call i32 @llvm.vector.reduce.umax.v8i32(
// CHECK: store i32 %{{.*}}, ptr addrspace(3)

// The same for work-group functions, of floating-point numbers too: their order is open.
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sum(global float* out, global const float* in) {
  size_t i = get_global_id(0);
  out[i] = work_group_reduce_add(in[i]);
}
// CHECK-LABEL: define internal void @sum(
// CHECK: phi <8 x float>
// CHECK: load <8 x float>, ptr addrspace(1)
// CHECK: fadd reassoc {{.*}}<8 x float>
// CHECK-NOT: store
// CHECK: br i1
// CHECK: call reassoc {{.*}}float @llvm.vector.reduce.fadd.v8f32(
// CHECK: store float %{{.*}}, ptr addrspace(3)
