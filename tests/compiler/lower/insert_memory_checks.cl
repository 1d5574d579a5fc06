// RUN: %heddlec %s --check=memory --extensions="__opencl_c_pipes __opencl_c_generic_address_space cl_khr_extended_async_copies" --stage=inline -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --extensions="__opencl_c_pipes __opencl_c_generic_address_space cl_khr_extended_async_copies" --stage=inline -- -cl-std=CL3.0 | FileCheck %s --check-prefix=WITHOUT
// RUN: %heddlec %s --check=memory --extensions="__opencl_c_pipes __opencl_c_generic_address_space cl_khr_extended_async_copies" --stage=vectorize -- -cl-std=CL3.0 | FileCheck %s --check-prefix=LOWERED
// With memory checks each async copy is told to the runtime before it is made, by the group's first
// work-item, and each use of a pipe by everybody; without them nothing is there.
// CHECK-DAG: [[COPY:@heddle.place[.0-9]*]] = {{.*}}memory_checks.cl:[[#@LINE+13]]\00copies\00\00"
// CHECK-DAG: [[PACKET:@heddle.place[.0-9]*]] = {{.*}}memory_checks.cl:[[#@LINE+15]]\00copies\00\00"
// CHECK-LABEL: @copies.body(
// CHECK: br i1
// CHECK: call void (i32, ptr, ...) @__heddle_check(i32 0, ptr [[COPY]], ptr addrspace(3) {{.*}}, ptr addrspace(1) {{.*}}, i64 64, i64 4)
// CHECK: call {{.*}}@__heddle_call_once_copy_bytes
// CHECK: call void (i32, ptr, ...) @__heddle_check(i32 6, ptr [[PACKET]], ptr {{.*}}, i32 4, i32 4)
// CHECK: call {{.*}}@__heddle_call_claim
// WITHOUT-NOT: __heddle_check
// WITHOUT-NOT: heddle.place
// LOWERED-NOT: __heddle_check
// LOWERED: getelementptr inbounds {{.*}}, i64 128
kernel void copies(global const float* in, global float* out, local float* tile, write_only pipe int p) {
  event_t e = async_work_group_copy(tile, in, 64, 0);
  wait_group_events(1, &e);
  int v = 3;
  write_pipe(p, &v);
  out[get_global_id(0)] = tile[get_local_id(0)];
}
