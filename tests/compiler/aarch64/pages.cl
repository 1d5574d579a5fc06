// What is executed, read and written is on pages of its own also where these have 64 KiB, and at the same place of a page in the file.
// RUN: %heddlec --cpu=armv8-a -o %t.so %s
// RUN: llvm-readelf -lW %t.so | FileCheck %s

// CHECK: LOAD 0x000000 0x0000000000000000 {{.*}} R 0x10000
// CHECK: LOAD 0x00[[#%x,]] 0x00000000000[[#%x,]] {{.*}} R E 0x10000
// CHECK: LOAD {{.*}} RW 0x10000
kernel void k(global int* a) { a[get_global_id(0)] = 1; }
