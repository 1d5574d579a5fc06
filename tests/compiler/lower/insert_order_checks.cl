// RUN: %heddlec %s --check=race --stage=inline -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --check=race --width=1 --fibers --stage=vectorize -- -cl-std=CL3.0 | FileCheck %s --check-prefix=LOWERED
// RUN: %heddlec %s --check=race --check=divergence --width=1 --fibers --stage=vectorize -- -cl-std=CL3.0 | FileCheck %s --check-prefix=MEETING
// Accesses to local and global memory are told with their place, those of builtins with that of the call, and barriers
// with what they order; private variables are not.
// CHECK-DAG: [[COPY:@heddle.place[.0-9]*]] = {{.*}}order_checks.cl:[[#@LINE+30]]\00k\00\00"
// CHECK-DAG: [[BARRIER:@heddle.place[.0-9]*]] = {{.*}}order_checks.cl:[[#@LINE+30]]\00k\00\00"
// CHECK-LABEL: define {{.*}}@k.body(
// CHECK: call void (i32, ptr, ...) @__heddle_check(i32 26, ptr [[COPY]], ptr addrspace(1) {{.*}}, i64 4)
// CHECK-NEXT: load i32, ptr addrspace(1)
// CHECK: call void (i32, ptr, ...) @__heddle_check(i32 27, ptr [[COPY]], ptr addrspace(3) {{.*}}, i64 4, i64 1, i64 {{.*}})
// CHECK-NEXT: store i32
// CHECK: call void (i32, ptr, ...) @__heddle_check(i32 30, ptr [[BARRIER]], i64 1, ptr {{.*}}, i64 1, i64 -1, i64 0, i64 0, i64 1)
// CHECK-NEXT: call void @heddle.barrier
// CHECK: call void (i32, ptr, ...) @__heddle_check(i32 26, ptr null, ptr addrspace(4) {{.*}}, i64 8)
// CHECK-NEXT: load <2 x i32>
// CHECK: call void (i32, ptr, ...) @__heddle_check(i32 28, ptr null, ptr addrspace(1) {{.*}}, i64 4, i64 3)
// CHECK-NEXT: atomicrmw add
// CHECK-NOT: __heddle_check
// Lowered: the load of what the kernel only reads is behind a branch; kind, site and bytes are one constant.
// LOWERED: @heddle.race_sites = private constant { i64, ptr, ptr, ptr } { i64 3,
// LOWERED-LABEL: define {{.*}}@k.body(
// LOWERED: br i1 %may_race
// LOWERED: call void {{%[0-9]+}}(ptr {{.*}}, i64 {{.*}}, i64 {{[0-9]+}}, i64 0, i64 {{.*}}, ptr @heddle.race_sites)
// LOWERED: call void {{%[0-9]+}}(ptr {{.*}}, i64 {{.*}}, i64 {{[0-9]+}}, i64 {{.*}}, i64 {{.*}}, ptr @heddle.race_sites)
// LOWERED: store i32
// LOWERED: call void {{%[0-9]+}}(ptr {{.*}}, i64 1, i64 {{.*}})
// LOWERED-NEXT: call void @heddle.barrier
// LOWERED-NOT: __heddle_check
// With the check of divergence, a barrier is a record of all of its operands.
// MEETING: call void {{%[0-9]+}}(ptr {{.*}}, ptr {{%check[0-9]*}})
// MEETING: call void @heddle.barrier
kernel void k(global const int* in, global int* out, local int* tile) {
  int l = get_local_id(0);
  int numbers[2] = {l, l ^ 1};
  tile[numbers[0]] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  int2 pair = vload2(0, tile + numbers[1]);
  atomic_add(out + pair.x, pair.y);
}
