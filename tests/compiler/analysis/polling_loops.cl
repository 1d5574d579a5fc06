// RUN: %heddlec %s --stage=inline -- -cl-std=CL3.0 | FileCheck %s --implicit-check-not="call void @heddle.yield"
// Which loops may wait for another work-item: these yield before they repeat.

// CHECK-LABEL: define {{.*}}@flag.body(
// CHECK: br i1 %{{.*}}, label %[[AGAIN:[a-z_.]+]], label
// CHECK: [[AGAIN]]:
// CHECK-NEXT: call void @heddle.yield()
kernel void flag(global atomic_int* a) {
  while (atomic_load_explicit(a, memory_order_acquire, memory_scope_work_group) != 0)
    ;
}
// CHECK-LABEL: define {{.*}}@volatile_flag.body(
// CHECK: call void @heddle.yield()
kernel void volatile_flag(global volatile int* a) {
  while (*a == 0)
    ;
}
// It stores until what it reads back is its own, but also until the lock is free.
// CHECK-LABEL: define {{.*}}@own_value_if_free.body(
// CHECK: call void @heddle.yield()
kernel void own_value_if_free(local volatile uint* a, uint mine) {
  for (;;) {
    if (a[0] == 0)
      a[0] = mine;
    if (a[0] == mine)
      break;
  }
}
// It waits until another work-item replaces what it has stored.
// CHECK-LABEL: define {{.*}}@until_replaced.body(
// CHECK: call void @heddle.yield()
kernel void until_replaced(local volatile uint* a, uint mine) {
  do
    a[0] = mine;
  while (a[0] == mine);
}
// CHECK-LABEL: define {{.*}}@fence.body(
// CHECK: call void @heddle.yield()
kernel void fence(local int* a) {
  while (*a == 0)
    mem_fence(CLK_LOCAL_MEM_FENCE);
}
// CHECK-LABEL: define {{.*}}@lock.body(
// CHECK: call void @heddle.yield()
kernel void lock(global int* a) {
  while (atomic_cmpxchg(a, 0, 1) != 0)
    ;
  atomic_xchg(a, 0);
}
// The flag decides what is stored in the variable that ends the loop.
// CHECK-LABEL: define {{.*}}@through_a_variable.body(
// CHECK: call void @heddle.yield()
kernel void through_a_variable(global atomic_int* a, global int* b) {
  int done = 0;
  while (!done) {
    if (atomic_load_explicit(a, memory_order_relaxed, memory_scope_work_group) > 3)
      done = 1;
    b[0]++;
  }
}
// A semaphore: it is taken by a compare-and-exchange, but not while it is 0.
// CHECK-LABEL: define {{.*}}@semaphore.body(
// CHECK: call void @heddle.yield()
kernel void semaphore(global int* a) {
  for (;;) {
    int old = atomic_or(a, 0);
    if (old != 0 && atomic_cmpxchg(a, old, old - 1) == old)
      break;
  }
}
// The inner loop waits, once for each of the elements.
// CHECK-LABEL: define {{.*}}@each.body(
// CHECK: call void @heddle.yield()
kernel void each(global atomic_int* a, int n) {
  for (int i = 0; i < n; ++i)
    while (atomic_load_explicit(a + i, memory_order_acquire, memory_scope_work_group) == 0)
      ;
}
// It looks at each queue in turn until there is something in one.
// CHECK-LABEL: define {{.*}}@in_turn.body(
// CHECK: call void @heddle.yield()
kernel void in_turn(global atomic_int* queues, global int* found, uint count) {
  uint at = 0;
  while (atomic_load_explicit(queues + at, memory_order_acquire, memory_scope_work_group) == 0)
    at = (at + 1) % count;
  *found = at;
}

// None of the following waits.

// Each failure of the exchange is another one's success.
kernel void retry(global int* a, int x) {
  int old;
  do
    old = *(global volatile int*)a;
  while (atomic_cmpxchg(a, old, old * x) != old);
}
// CHECK-LABEL: define {{.*}}@retry.body(
kernel void retry_unless(global int* a, int x) {
  int old = atomic_or(a, 0);
  while (old < x) {
    int seen = atomic_cmpxchg(a, old, x);
    if (seen == old)
      break;
    old = seen;
  }
}
// CHECK-LABEL: define {{.*}}@retry_unless.body(
// A queue of work ends by itself.
kernel void queue(global int* next, global int* a, int n) {
  int i;
  while ((i = atomic_inc(next)) < n)
    a[i] = i;
}
// CHECK-LABEL: define {{.*}}@queue.body(
// Each iteration looks at another place.
kernel void insert(global int* table, int key, int mask) {
  int at = key & mask;
  for (;;) {
    int seen = atomic_cmpxchg(table + at, 0, key);
    if (seen == 0 || seen == key)
      break;
    at = (at + 1) & mask;
  }
}
// CHECK-LABEL: define {{.*}}@insert.body(
// A count with the tag of the work-item, repeated if another one has written in between.
kernel void tagged_count(local volatile uint* a, global const uint* in, uint tag) {
  uint count;
  const uint at = in[get_global_id(0)];
  do {
    count = tag | ((a[at] & 0xffff) + 1);
    a[at] = count;
  } while (a[at] != count);
}
// CHECK-LABEL: define {{.*}}@tagged_count.body(
kernel void counted(global atomic_int* a, global int* b, int n) {
  for (int i = 0; i < n; ++i)
    if (atomic_load_explicit(a, memory_order_acquire, memory_scope_work_group) != 0)
      b[i] = 1;
    else if (b[i] == 7)
      break;
}
// CHECK-LABEL: define {{.*}}@counted.body(
// All meet at the barrier in each iteration.
kernel void until_stable(local volatile int* changed, global int* a) {
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    *changed = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (a[get_local_id(0)] & 1)
      *changed = 1, a[get_local_id(0)] >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (*changed);
}
// CHECK-LABEL: define {{.*}}@until_stable.body(
// The place is private.
kernel void own(global int* a) {
  volatile int left = a[0];
  while (left > 0)
    left = left - 3;
  a[1] = left;
}
// CHECK-LABEL: define {{.*}}@own.body(

// These two wait again. A function that stays a call waits.
int depth(global volatile int* a, int n) {
  if (n > 1)
    return depth(a, n / 2) + depth(a, n - n / 2);
  while (*a == 0)
    ;
  return *a;
}
kernel void calls(global volatile int* a, global int* b, int n) { b[0] = depth(a, n); }
// CHECK-LABEL: define {{.*}}i32 @depth(
// CHECK: call void @heddle.yield()
// CHECK: declare void @heddle.yield()
// Packets of a pipe may come from another sub-group. Kernels with pipes are the last ones of a program.
// CHECK-LABEL: define {{.*}}@packets.body(
// CHECK: call void @heddle.yield()
kernel void packets(read_only pipe int p, global int* a) {
  int x;
  while (read_pipe(p, &x) != 0)
    ;
  a[0] = x;
}
