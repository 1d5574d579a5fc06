// In a plain unit functions stay calls where everything inlined would be more than 1000 instructions, but not those that
// reach a barrier.
// RUN: %heddlec --program %s -o %t.bc
// RUN: %heddlec --unit=steps --width=1 --stage=inline %t.bc -- -cl-opt-disable | FileCheck %s
// RUN: %heddlec --unit=steps --width=1 --stage=inline %t.bc | FileCheck %s --check-prefix=OPTIMIZED
#define FOUR(X) X X X X
#define MANY(X) FOUR(FOUR(FOUR(FOUR(X))))

// CHECK-LABEL: define {{.*}} @steps.body(
// CHECK: call {{.*}} @many_stores(
// CHECK-NOT: call {{.*}} @{{few|stores}}
// CHECK: call {{.*}} @many_stores(
// OPTIMIZED-NOT: call {{.*}} @many_stores(
void few_stores(volatile global int* x, int i) { FOUR(x[i] = i;) }
void many_stores(volatile global int* x, int i) { MANY(x[i] = i;) }
void stores_and_barrier(volatile global int* x, int i) {
  FOUR(FOUR(x[i] = i;))
  barrier(CLK_GLOBAL_MEM_FENCE);
}

kernel void steps(volatile global int* x) {
  const int i = get_global_id(0);
  few_stores(x, i);
  many_stores(x, i);
  stores_and_barrier(x, i);
  many_stores(x, i + 1);
}
