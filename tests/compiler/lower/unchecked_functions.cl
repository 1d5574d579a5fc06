// RUN: %heddlec %s --check=race --stage=inline | FileCheck %s --check-prefix=RACE --implicit-check-not=00helper
// RUN: %heddlec %s --check=memory --width=1 --stage=vectorize | FileCheck %s --check-prefix=MEMORY
// RUN: %heddlec %s --stage=inline 2>&1 | FileCheck %s --check-prefix=WARNINGS
// Functions with no_sanitize("heddle-...") have their checks in their places, also where they are inlined; accesses in
// them are no part of races. Only names that nobody knows are warned of.
// RACE-DAG: @heddle.place{{.*}}unchecked_functions.cl:[[#@LINE+15]]\00k\00\00"
// RACE-DAG: @heddle.place{{.*}}unchecked_functions.cl:[[#@LINE+11]]\00checked\00division\00"
// MEMORY-DAG: @heddle.place{{.*}}unchecked_functions.cl:[[#@LINE+7]]\00helper\00race,memory\00"
// MEMORY-DAG: @heddle.place{{.*}}unchecked_functions.cl:[[#@LINE+9]]\00checked\00division\00"
// MEMORY-DAG: @heddle.place{{.*}}unchecked_functions.cl:[[#@LINE+11]]\00k\00\00"
// WARNINGS-NOT: warning
// WARNINGS: unchecked_functions.cl:[[#@LINE+5]]:{{.*}}warning: unknown sanitizer 'heddle-all' ignored
// WARNINGS-NOT: warning
__attribute__((no_sanitize("heddle-race", "heddle-memory"), noinline)) int helper(global const int* in, int i) {
  return in[i]; // helper
}
__attribute__((no_sanitize("heddle-division", "heddle-all", "address"))) int checked(global const int* in, int i) {
  return in[i + 1];
}
kernel void k(global const int* in, global int* out) {
  out[get_global_id(0)] = helper(in, out[1]) + checked(in, out[2]);
}
