// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s
// RUN: %heddlec --width=8 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=EIGHT
// RUN: %heddlec %s -- -heddle-explain -cl-opt-disable 2>&1 | FileCheck %s --check-prefix=PLAIN
kernel void doubles(global double* a) { a[get_global_id(0)] *= 2; }
// CHECK: kernel 'doubles': 16 work-items wide: its data is mostly of 64 bits, and registers are of 512; twice as many, since the registers hold two for each value
// EIGHT: kernel 'doubles': 8 work-items wide: HEDDLE_WIDTH requests it
// PLAIN: kernel 'doubles': 1 work-item wide: -cl-opt-disable requests unoptimized code
kernel void bytes(global uchar* a) { a[get_global_id(0)] ^= 15; }
// CHECK: kernel 'bytes': 64 work-items wide: its data is mostly of 16 bits, and registers are of 512; twice as many, since the registers hold two for each value
kernel __attribute__((intel_reqd_sub_group_size(4))) void four(global int* a) { a[get_global_id(0)] *= 2; }
// CHECK: kernel 'four': 4 work-items wide: the kernel's intel_reqd_sub_group_size requires it
// EIGHT: kernel 'four': 4 work-items wide: the kernel's intel_reqd_sub_group_size requires it
kernel void by_hand(global float16* a, global float16* b) { a[get_global_id(0)] += b[get_global_id(0)]; }
// CHECK: kernel 'by_hand': 1 work-item wide: its own vectors fill the registers: it is vectorized by hand
// Not doubled: groups of kernels in two dimensions are often narrow, and atomics come lane by lane.
kernel void plane(global float* a, int w) { a[get_global_id(1) * w + get_global_id(0)] *= 2; }
// CHECK: kernel 'plane': 16 work-items wide: its data is mostly of 32 bits, and registers are of 512{{$}}
kernel __attribute__((reqd_work_group_size(48, 1, 1))) void odd(global float* a) { a[get_global_id(0)] *= 2; }
// CHECK: kernel 'odd': 16 work-items wide: its data is mostly of 32 bits, and registers are of 512{{$}}
kernel void counted(global int* a) { atomic_inc(&a[a[get_global_id(0)] & 7]); }
// CHECK: kernel 'counted': 16 work-items wide: its data is mostly of 32 bits, and registers are of 512{{$}}
