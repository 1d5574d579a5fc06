// REQUIRES: x86
// RUN: %heddlec %s --stage=work-groups -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --stage=optimize --cpu=x86-64-v4 -- -cl-std=CL3.0 | FileCheck %s --check-prefix=MADE
// RUN: %heddlec %s --stage=optimize --cpu=x86-64-v3 -- -cl-std=CL3.0 | FileCheck %s --check-prefix=V3
// Copies with constant sizes or strides call clones of the library's functions, in which one way to
// move data is left. Equal ones share a clone.
kernel void lines(global const char* in, local char* tile) {
  event_t e = async_work_group_copy_2D2D(tile, 0, in, 0, 4, 10, 200, 288, 10, 0);
  wait_group_events(1, &e);
  e = async_work_group_copy_2D2D(tile, 0, in, 64, 4, 10, 200, 288, 10, 0);
  wait_group_events(1, &e);
}
// CHECK-LABEL: define internal i32 @lines.whole(
// CHECK: call void @[[LINES:__heddle_copy[.0-9]*]](
// CHECK: call void @[[LINES]](

// Four lines an iteration.
// MADE: define internal {{.*}}void @[[LINES:__heddle_copy[.0-9]*]](
// MADE-COUNT-4: call void @llvm.memcpy{{.*}}, i64 40, i1 false)
// MADE-NOT: call
// MADE: ret void

// Large strides: scatter instructions.
kernel void far(global float* out, local float* tile) {
  event_t e = async_work_group_strided_copy(out, tile, 1024, 32, 0);
  wait_group_events(1, &e);
}
// MADE: call void @llvm.masked.scatter.v16i32
// V3-NOT: call void @llvm.masked.scatter
// CHECK-LABEL: define internal i32 @far.whole(
// CHECK: call void @__heddle_copy

// Small strides: one masked store for all elements of a line. The loop is inlined.
kernel void near(global uint* out, local uint* tile) {
  event_t e = async_work_group_strided_copy(out, tile, 1024, 3, 0);
  wait_group_events(1, &e);
}
// CHECK-LABEL: define internal i32 @near.whole(
// CHECK: call void @[[NEAR:__heddle_copy_elements[.0-9]*]](
// MADE-LABEL: define internal void @near(
// MADE: shufflevector <16 x i32> [[TILE:%.*]], <16 x i32> poison, <16 x i32> <i32 0, i32 poison, i32 poison, i32 1, {{.*}}, i32 5>
// MADE: call void @llvm.masked.store.v16i32{{.*}} <16 x i1> <i1 true, i1 false, i1 false, i1 true, {{.*}}, i1 true>
// MADE: call void @llvm.masked.store.v16i32{{.*}} <16 x i1> <i1 false, i1 false, i1 true, {{.*}}, i1 false>
// MADE: call void @llvm.masked.store.v16i32{{.*}} <16 x i1> <i1 false, i1 true, {{.*}}, i1 false, i1 false>
// V3-LABEL: define internal void @near(
// V3-NOT: call void @llvm.masked.store

// Loads where a vector of memory has a few elements: blended, and shuffled into order. Three vectors
// have the first sixteen elements, three others the next.
kernel void blended(global const ushort* in, local ushort* tile, global int* out) {
  event_t e = async_work_group_strided_copy(tile, in, 1024, 6, 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = tile[get_local_id(0)];
}
// MADE-LABEL: define internal void @blended(
// MADE-COUNT-2: load <32 x i16>
// MADE: shufflevector {{.*}} <32 x i32> <i32 0, i32 poison, i32 poison, i32 poison, i32 36, i32 poison, i32 6,
// MADE: load <32 x i16>
// MADE: shufflevector {{.*}} <32 x i32> <i32 0, i32 6, i32 12, i32 18, i32 24, i32 30, i32 4,
// MADE-COUNT-3: load <32 x i16>
// MADE: shufflevector {{.*}} <32 x i32> <i32 0, i32 1, {{.*}}, i32 15, i32 32, i32 38, i32 44,
// V3-LABEL: define internal void @blended(
// V3-NOT: load <32 x i16>
// V3: ret void

// A stride of zero writes to one address.
kernel void one_place(global uint* out, local uint* tile) {
  event_t e = async_work_group_strided_copy(out, tile, 1024, 0, 0);
  wait_group_events(1, &e);
}
// MADE-LABEL: define internal void @one_place(
// MADE-NOT: call void @llvm.masked.store
// MADE: ret void

// Copies without constants call the general function.
kernel void unknown(global const char* in, local char* tile, uint n) {
  event_t e = async_work_group_copy_2D2D(tile, 0, in, 0, 4, n, 20, n, n, 0);
  wait_group_events(1, &e);
}
// CHECK-LABEL: define internal i32 @unknown.whole(
// CHECK: call void @__heddle_call_once_copy_lines(
// CHECK-NOT: __heddle_copy_is_known

// A few lines are moved in the kernel, in ascending order; the last one overlaps the line before.
kernel void some_lines(global const char* in, local char* tile) {
  event_t e = async_work_group_copy(tile, in, 300, 0);
  wait_group_events(1, &e);
}
// MADE-LABEL: define internal void @some_lines(
// MADE-COUNT-4: load <8 x i64>
// MADE: [[SECOND:%.*]] = getelementptr {{.*}}, i64 64
// MADE-NEXT: store <8 x i64> %{{.*}}, ptr addrspace(4) [[SECOND]], align 1
// MADE-NEXT: [[THIRD:%.*]] = getelementptr {{.*}}, i64 128
// MADE-NEXT: store <8 x i64> %{{.*}}, ptr addrspace(4) [[THIRD]], align 1
// MADE: getelementptr {{.*}}, i64 236
// MADE: store <8 x i64>

// A few KiB are a loop in the kernel; the last lines overlap those of its last iteration.
kernel void some_kib(global const char* in, local char* tile) {
  event_t e = async_work_group_copy(tile, in, 4200, 0);
  wait_group_events(1, &e);
}
// MADE-LABEL: define internal void @some_kib(
// MADE-NOT: call void @__heddle_call_once_copy_bytes
// MADE: icmp eq i64 %{{.*}}, 16
// MADE: getelementptr inbounds i8, {{.*}}, i64 4072
// MADE: store <8 x i64>
// MADE: ret void

// Large copies call memcpy.
kernel void many_kib(global const char* in, local char* tile) {
  event_t e = async_work_group_copy(tile, in, 20000, 0);
  wait_group_events(1, &e);
}
// MADE-LABEL: define internal void @many_kib(
// MADE: call void @llvm.memcpy{{.*}}, i64 20000, i1 false)

// Small elements at large strides are inserted into vectors, or extracted from them.
kernel void columns(global const ushort* in, local ushort* tile) {
  event_t e = async_work_group_strided_copy(tile, in, 1024, 48, 0);
  wait_group_events(1, &e);
}
// MADE-LABEL: define internal void @columns(
// MADE: load i16, ptr addrspace(4) [[FROM:%.*]], align 1
// MADE: getelementptr {{.*}}i8, ptr addrspace(4) [[FROM]], i64 96
// MADE: insertelement <8 x i16>
// MADE: store <8 x i16>
// MADE: ret void
kernel void to_columns(global ushort* out, local ushort* tile) {
  event_t e = async_work_group_strided_copy(out, tile, 1024, 48, 0);
  wait_group_events(1, &e);
}
// MADE-LABEL: define internal void @to_columns(
// MADE: load <8 x i16>
// MADE: extractelement <8 x i16>
// MADE: store i16
// MADE: ret void

// One element from each line: moved one by one, eight an iteration.
kernel void line_heads(global const ushort* in, local ushort* tile) {
  event_t e = async_work_group_strided_copy(tile, in, 1024, 32, 0);
  wait_group_events(1, &e);
}
// MADE-LABEL: define internal void @line_heads(
// MADE-NOT: insertelement
// MADE: load i16, ptr addrspace(4) [[HEAD:%.*]], align 1
// MADE-NOT: insertelement
// MADE: getelementptr {{.*}}i8, ptr addrspace(4) [[HEAD]], i64 448
// MADE-NOT: insertelement
// MADE: ret void

// Strides of at least four elements in large copies are prefetched 32 lines ahead. Not in small ones.
kernel void fourths(global const uint* in, local uint* tile) {
  event_t e = async_work_group_strided_copy(tile, in, 1024, 4, 0);
  wait_group_events(1, &e);
}
// MADE-LABEL: define internal void @fourths(
// MADE: [[AHEAD:%.*]] = getelementptr {{.*}}i8, ptr addrspace(4) [[FROM:%.*]], i64 2048
// MADE: call void @llvm.prefetch.p4(ptr addrspace(4) {{.*}}[[AHEAD]], i32 0, i32 3, i32 1)
// MADE: load <16 x i32>, ptr addrspace(4) [[FROM]]
kernel void sevenths(global const uint* in, local uint* tile) {
  event_t e = async_work_group_strided_copy(tile, in, 1024, 7, 0);
  wait_group_events(1, &e);
}
// MADE-LABEL: define internal void @sevenths(
// MADE: [[AHEAD:%.*]] = getelementptr {{.*}}i8, ptr addrspace(4) [[FROM:%.*]], i64 2048
// MADE: call void @llvm.prefetch.p4(ptr addrspace(4) {{.*}}[[AHEAD]], i32 0, i32 3, i32 1)
// MADE: load <16 x i32>, ptr addrspace(4) [[FROM]]
kernel void few(global const uint* in, local uint* tile) {
  event_t e = async_work_group_strided_copy(tile, in, 255, 4, 0);
  wait_group_events(1, &e);
}
// MADE-LABEL: define internal void @few(
// MADE-NOT: call void @llvm.prefetch
// MADE: load <16 x i32>
// MADE-NOT: call void @llvm.prefetch
// MADE: ret void
// Loops of a few instructions are aligned.
// MADE: = !{!"llvm.loop.align", i32 64}
