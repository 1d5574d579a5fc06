// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | %filecheck %s
// RUN: %heddlec --width=8 %s -- -heddle-explain 2>&1 | %filecheck %s --check-prefix=EIGHT
// RUN: %heddlec %s -- -heddle-explain -cl-opt-disable 2>&1 | %filecheck %s --check-prefix=PLAIN
kernel void doubles(global double* a) { a[get_global_id(0)] *= 2; }
// CHECK: kernel 'doubles': 8 work-items wide: its data is mostly of 64 bits, and registers are of 512
// EIGHT: kernel 'doubles': 8 work-items wide: HEDDLE_WIDTH asks for it
// PLAIN: kernel 'doubles': 1 work-item wide: -cl-opt-disable asks for plain code
kernel void bytes(global uchar* a) { a[get_global_id(0)] ^= 15; }
// CHECK: kernel 'bytes': 32 work-items wide: its data is mostly of 16 bits, and registers are of 512
kernel __attribute__((intel_reqd_sub_group_size(4))) void four(global int* a) { a[get_global_id(0)] *= 2; }
// CHECK: kernel 'four': 4 work-items wide: the kernel's intel_reqd_sub_group_size asks for it
// EIGHT: kernel 'four': 4 work-items wide: the kernel's intel_reqd_sub_group_size asks for it
kernel void by_hand(global float16* a, global float16* b) { a[get_global_id(0)] += b[get_global_id(0)]; }
// CHECK: kernel 'by_hand': 1 work-item wide: its own vectors fill the registers: it has been vectorised by hand
