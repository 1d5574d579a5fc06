// RUN: %heddlec --stage=lower-blocks %s -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec --verify-each -o %t.so %s -- -cl-std=CL3.0 -g

// The kernel of a block has the lines of the block, for profilers and debuggers.
// CHECK: define internal spir_kernel void @__k_block_invoke_kernel(ptr addrspace(2) {{.*}} !dbg [[KERNEL:![0-9]+]]
// CHECK: call spir_func void @__k_block_invoke({{.*}}), !dbg [[PLACE:![0-9]+]]
// CHECK-DAG: [[KERNEL]] = distinct !DISubprogram(name: "__k_block_invoke", {{.*}}line: 11,
// CHECK-DAG: [[PLACE]] = !DILocation(line: 11, scope: [[KERNEL]])
kernel void k(global int* a) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64),
                 ^{
                   a[get_global_id(0)] = 1;
                 });
}
