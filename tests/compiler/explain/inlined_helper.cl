// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s --match-full-lines
// A helper's lines are its own, and those of the builtins' library are where they are called.
float look_up(global const float* table, int i) {
  return table[i & 255];
}
kernel void helped(global const float* table, global const int* places, global float* out) {
  size_t i = get_global_id(0);
  out[i] = look_up(table, places[i]);
}
// CHECK: {{.*}}inlined_helper.cl:6: kernel 'helped': 32 {{.*}}
// CHECK: {{.*}}inlined_helper.cl:4:10: gather: the address has no constant stride between work-items
// CHECK-NOT: {{.*}}.cl:{{.*}}
