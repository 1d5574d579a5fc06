// RUN: %heddlec %s --stage=mark-sub-group-users -- -cl-std=CL3.0 | FileCheck %s
// Functions that call builtins of sub-groups, also in functions that they call, are marked; those that call builtins of
// work-groups, which use the same operations between lanes, are not.

// CHECK-DAG: define {{.*}}@sum({{.*}} [[CALLED:#[0-9]+]]
int sum(int x) { return sub_group_reduce_add(x); }

// CHECK-DAG: define {{.*}}spir_kernel void @own({{.*}} [[OWN:#[0-9]+]]
kernel void own(global int* a) { a[get_global_id(0)] = get_sub_group_local_id(); }

// CHECK-DAG: define {{.*}}spir_kernel void @calls({{.*}} [[OWN]]
// CHECK-DAG: define {{.*}}@__clang_ocl_kern_imp_calls({{.*}} [[BODY:#[0-9]+]]
kernel void calls(global int* a) { a[get_global_id(0)] = sum(a[get_global_id(0)]); }

// CHECK-DAG: define {{.*}}spir_kernel void @group({{.*}} [[OTHER:#[0-9]+]]
kernel void group(global int* a) { a[get_global_id(0)] = work_group_reduce_add(a[get_global_id(0)]); }

// CHECK-DAG: attributes [[CALLED]] = {{.*}}"heddle-uses-sub-groups"
// CHECK-DAG: attributes [[OWN]] = {{.*}}"heddle-uses-sub-groups"
// CHECK-DAG: attributes [[BODY]] = {{.*}}"heddle-uses-sub-groups"
// CHECK-DAG: attributes [[OTHER]] = { convergent norecurse nounwind "no-trapping
