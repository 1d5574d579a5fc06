// RUN: rm -rf %t && mkdir %t
// RUN: %heddlec %s --cpu=sapphirerapids --keep=%t/a --extensions=cl_khr_fp16
// RUN: cat %t/a/*/kernels.s | FileCheck %s
// RUN: %heddlec %s --cpu=x86-64-v4 --keep=%t/b --extensions=cl_khr_fp16
// RUN: cat %t/b/*/kernels.s | FileCheck %s
// RUN: %heddlec %s --cpu=x86-64-v3 --keep=%t/c --extensions=cl_khr_fp16
// RUN: cat %t/c/*/kernels.s | FileCheck %s
// Whole lines of halves are stored past the caches in the instructions that come out, too.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void scale(global half* to, global const half* from, half a) {
  size_t i = get_global_id(0);
  to[i] = a * from[i];
}
// CHECK-LABEL: scale:
// CHECK: vmovnt
