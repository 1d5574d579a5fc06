// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s
// RUN: %heddlec --cpu=x86-64-v4 --fibers %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=FIBERS
// RUN: %heddlec --width=1 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=SCALAR
// Each kernel's mechanism is named: none, regions or fibers.
kernel void no_barrier(global int* a) { a[get_global_id(0)] = 1; }
// CHECK: kernel 'no_barrier': barriers: none{{$}}
// FIBERS: kernel 'no_barrier': barriers: none{{$}}
// SCALAR: kernel 'no_barrier': barriers: none{{$}}
kernel void turned(global int* a, local int* l) {
  l[get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = l[get_local_size(0) - 1 - get_local_id(0)];
}
// CHECK: kernel 'turned': barriers: regions, a loop over the group's sub-groups for the code between two barriers; {{[1-9][0-9]*}} bytes a sub-group kept across them{{$}}
// FIBERS: kernel 'turned': barriers: fibers, one a sub-group: HEDDLE_BARRIERS requests it{{$}}
// SCALAR: kernel 'turned': barriers: regions, a loop over the group's work-items for the code between two barriers; {{[1-9][0-9]*}} bytes a work-item kept across them{{$}}
