// RUN: %heddlec %s --stage=work-groups --width=8 | FileCheck %s
// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s --check-prefix=KEPT
// A region in which only the group's first sub-group has an effect, an async copy, runs for one
// sub-group of each variant: there is no loop over the others.
kernel void tiles(global const int* in, global int* out, local int* tile, uint n) {
  size_t l = get_local_id(0);
  for (uint t = 0; t < n; ++t) {
    event_t e = async_work_group_copy(tile, in + t * 64, 64, 0);
    wait_group_events(1, &e);
    out[t * 64 + l] = tile[63 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
// CHECK-LABEL: define internal void @tiles(
// CHECK: call void @heddle.note(i64 0, ptr %{{.*}})
// Small kernels have separate loops for groups of one row of whole sub-groups.
// CHECK: [[IS_LINE:%.*]] = and i1
// CHECK-NEXT: br i1 [[IS_LINE]], label %regions, label %others
// CHECK-LABEL: {{^}}regions:
// CHECK-NOT: call i32 @tiles.tail(
// CHECK-NOT: {{^}}z:
// CHECK: call i32 @tiles.whole({{.*}}, i64 0, i64 0, i64 0, i32 0, ptr %{{[^,]*}}, ptr %uniform_in, ptr %uniform_out)
// CHECK-NOT: call i32 @tiles.tail(
// CHECK-NOT: {{^}}z:
// CHECK: call i32 @tiles.whole({{.*}}, i64 0, i64 0, i64 0, i32 2, ptr %{{[^,]*}}, ptr %uniform_in, ptr %uniform_out)
// CHECK-NOT: call i32 @tiles.tail(
// CHECK-NOT: {{^}}z:
// CHECK: {{^}}x:
// CHECK: call i32 @tiles.whole({{.*}}, i64 %x{{[0-9]*}}, i64 0, i64 0, i32 1, ptr
// The loops for other groups.
// CHECK: {{^}}unreachable{{[0-9]+}}:
// CHECK-NOT: call void @heddle.note(
// CHECK: call i32 @tiles.whole({{.*}}, i64 0, i64 0, i64 0, i32 0, ptr %{{[^,]*}}, ptr %uniform_in, ptr %uniform_out)
// CHECK-NOT: call void @heddle.note(
// CHECK: call i32 @tiles.tail({{.*}}, i32 0, ptr
// The uniform values that a region stores are those that the next one loads.
// CHECK: call void @llvm.memcpy{{.*}}(ptr align 64 %uniform_in, ptr align 64 %uniform_out,
// CHECK: [[LAST:%.*]] = load i32, ptr %last_successor
// CHECK-NEXT: icmp eq i32 [[LAST]], 0
// CHECK: {{^}}z:
// CHECK: {{^}}x{{[0-9]*}}:
// CHECK: call void @heddle.note(i64 %{{.*}}, ptr %{{.*}})
// CHECK: call i32 @tiles.whole({{.*}}, i64 %x{{[0-9]*}}, i64 %y{{[0-9]*}}, i64 %z{{[0-9]*}}, i32 1, ptr
// CHECK: call void @heddle.note(i64 0, ptr
// CHECK: call i32 @tiles.whole({{.*}}, i64 0, i64 0, i64 0, i32 2, ptr
// CHECK-NOT: any_region:

// The induction variable is uniform and not kept in frames.
// KEPT-LABEL: define internal i32 @tiles.whole(
// KEPT-NOT: ptr %frame,
// KEPT: [[PLACE:%.*]] = getelementptr inbounds i8, ptr %uniform_out, i64 8
// KEPT-NEXT: store i64 %{{.*}}, ptr [[PLACE]]
// KEPT-NOT: ptr %frame,
// KEPT: getelementptr inbounds i8, ptr %uniform_in, i64 8
// KEPT-NOT: ptr %frame,
// KEPT: define internal i32 @tiles.tail(

// Effects of all work-items need all sub-groups, and a loaded value is divergent.
kernel void own(global int* a, local int* tile, int n) {
  size_t l = get_local_id(0);
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    tile[l] = a[i * 64 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[l ^ i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[l] = sum;
}
// CHECK-LABEL: define internal void @own(
// CHECK-NOT: call i32 @own.whole({{.*}}, i64 0, i64 0, i64 0, i32
// CHECK: call i32 @own.whole({{.*}}, i64 %x{{[0-9]*}}, {{.*}}, i32 1, ptr
// CHECK-NOT: call i32 @own.whole({{.*}}, i64 0, i64 0, i64 0, i32
// KEPT-LABEL: define internal i32 @own.whole(
// KEPT: store <8 x i32> %{{.*}}, ptr [[SUM:%.*]], align
