// RUN: %heddlec %s --check=memory --extensions="__opencl_c_program_scope_global_variables __opencl_c_generic_address_space" --stage=simplify -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --check=memory --extensions="__opencl_c_program_scope_global_variables __opencl_c_generic_address_space" --width=8 --stage=vectorize -- -cl-std=CL3.0 | FileCheck %s --check-prefix=BOUNDS
// RUN: %heddlec %s --extensions="__opencl_c_program_scope_global_variables __opencl_c_generic_address_space" --stage=vectorize -- -cl-std=CL3.0 | FileCheck %s --check-prefix=WITHOUT
// Accesses to variables of the program are checked by their offsets, unless these are known to be inside: by the counts
// of loops, conditions, the local size, and what a variable is computed from.
// WITHOUT-NOT: heddle.object
// WITHOUT-NOT: program_variable
constant int table[4] = {1, 2, 3, 4};
global int counters[8];

// CHECK-LABEL: define {{.*}}@inside.body(
// CHECK-NOT: check_object
// CHECK: ret void
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void inside(global int* data, int n) {
  local int tiles[2][16];
  int a[8], l = get_local_id(0), from = 0;
  tiles[0][l] = l;
  for (int i = 0; i < 8; ++i)
    a[i] = data[i];
  for (int d = 1; d < n; d *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    from = 1 - from;
    tiles[from][l] = tiles[1 - from][l ^ 1];
  }
  if ((uint)n < 4)
    data[l] = table[n] + tiles[from][l];
  counters[n & 7] = a[n & 7];
}

// CHECK-LABEL: define {{.*}}@outside.body(
// CHECK: call void @heddle.check_object(i32 22, ptr {{.*}}, ptr {{.*}}the local variable 'tile'.64", i64 {{%.*}}, i64 4)
// CHECK: call void @heddle.check_object(i32 21, ptr {{.*}}, ptr {{.*}}the constant variable 'table'.16", i64 {{%.*}}, i64 4)
// CHECK: call void @heddle.check_object(i32 23, ptr {{.*}}, ptr {{.*}}the program-scope variable 'counters'.32", i64 {{%.*}}, i64 4)
// A pointer that a loop moves.
// CHECK: %offset = phi i64
// CHECK: call void @heddle.check_object(i32 22, ptr {{.*}}, ptr {{.*}}the private variable 'a'.32", i64 %offset, i64 4)
// CHECK: ret void
// Later they are comparisons with the size, all lanes at once, and before loops.
// BOUNDS-LABEL: define {{.*}}@outside.whole(
// BOUNDS-NOT: check_object
// BOUNDS-NOT: program_variable
// BOUNDS: icmp ult i64 {{%.*}}, 61
// BOUNDS: call void @heddle.check_lanes.8{{.*}}i64 ptrtoint (ptr @"heddle.object.the local variable 'tile'.64" to i64)
kernel void outside(global int* data, int n) {
  local int tile[16];
  int a[8];
  tile[get_local_id(0)] = n;
  data[0] = table[(get_global_id(0) & 3) + n];
  atomic_inc(&counters[data[1]]);
  int* p = a;
  for (int i = 0; i < n; ++i)
    *p++ = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = a[data[2] & 7] + tile[15];
}
