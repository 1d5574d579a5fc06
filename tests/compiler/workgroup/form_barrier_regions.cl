// RUN: %heddlec %s --stage=vectorize --width=1 | FileCheck %s
// RUN: %heddlec %s --stage=vectorize --width=1 --fibers | FileCheck %s --check-prefix=FIBERS
// A variant becomes a function that runs one region: it switches to the region's entry, and returns
// the region that follows. The kernel's end is 0.
kernel void branching(global int* a, local int* t, int n) {
  size_t l = get_local_id(0);
  t[l] = a[l];
  if (n > 3) {
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[l ^ 1];
  } else {
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[l ^ 2];
  }
}
// CHECK-LABEL: define internal i32 @branching.item({{.*}}, i32 %region, ptr {{.*}}%frame, ptr {{.*}}%uniform_in, ptr {{.*}}%uniform_out)
// CHECK: switch i32 %region, label %unreachable [
// CHECK-NEXT: i32 0, label
// CHECK-NEXT: i32 1, label
// CHECK-NEXT: i32 2, label
// CHECK-NOT: call void @heddle.barrier
// CHECK-DAG: ret i32 1
// CHECK-DAG: ret i32 2
// CHECK-DAG: ret i32 0
// CHECK-DAG: unreachable:
// With fibers the body keeps its barriers.
// FIBERS-NOT: @branching.item
// FIBERS-LABEL: define {{.*}} @branching.body(
// FIBERS: call void @heddle.barrier()
// FIBERS: call void @heddle.barrier()
// FIBERS-NOT: @branching.item

// A private array that is used after a barrier is in the frame.
kernel void arrays(global int* a, local int* t) {
  int kept[4];
  size_t l = get_local_id(0);
  for (int i = 0; i < 4; ++i)
    kept[(a[i] + i) & 3] = a[l + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = kept[a[l] & 3];
}
// CHECK-LABEL: define internal i32 @arrays.item(
// CHECK: %kept = getelementptr inbounds i8, ptr %frame, i64 8
// CHECK-NOT: alloca
// CHECK: }

// A kernel without barriers is not split.
kernel void plain(global int* a) { a[get_global_id(0)] = 1; }
// CHECK-NOT: @plain.item
