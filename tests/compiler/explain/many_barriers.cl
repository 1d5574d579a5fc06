// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s
// Code for a thousand steps would be a thousand kernels.
#define ONE t[i] += t[i ^ 1]; barrier(CLK_LOCAL_MEM_FENCE);
#define TEN ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
kernel void many(local int* t) {
  size_t i = get_local_id(0);
  HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED
}
// CHECK: kernel 'many': barriers: fibers, {{.*}}it has so many barriers that code for each region between them would take too long to compile
kernel void few(local int* t) {
  size_t i = get_local_id(0);
  TEN
}
// CHECK: kernel 'few': barriers: regions
