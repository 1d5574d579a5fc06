// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=16 -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --stage=optimize --width=16 --cpu=x86-64-v4 -- -cl-std=CL3.0 | FileCheck %s --check-prefix=MADE
// A copy whose source is affine in the loop prefetches a later iteration's source: the next one's, or
// the first that is at least 2 KiB away.
#define LOOP(NAME, COUNT, STEP)                                                                     \
  kernel void NAME(const global int* from, local int* tile, uint tiles, uint step,                 \
                   global int* out) {                                                              \
    for (uint t = 0; t < tiles; ++t) {                                                             \
      event_t e = async_work_group_copy(tile, from + (STEP), COUNT, 0);                            \
      wait_group_events(1, &e);                                                                    \
    }                                                                                              \
    out[get_global_id(0)] = tile[get_local_id(0)];                                                 \
    tile[0] = 0;                                                                                   \
  }
LOOP(whole, 1024, t * (size_t)step)
// CHECK-LABEL: define {{.*}} @whole.whole(
// CHECK: [[NEXT:%.*]] = add i64 [[ITERATION:%.*]], 1
// CHECK: [[DISTANCE:%.*]] = mul i64 [[NEXT]], %{{.*}}
// CHECK-NEXT: [[LATER:%later.*]] = getelementptr i32, ptr addrspace(1) %{{.*}}, i64 [[DISTANCE]]
// CHECK-NEXT: call void @__heddle_call_once_copy_and_prefetch(ptr addrspace(4) %{{.*}}, ptr addrspace(4) %{{.*}}, i64 4096, ptr addrspace(1) [[LATER]])
// Each line that is moved has a prefetch.
// MADE-LABEL: define internal void @whole(
// MADE-COUNT-4: load <8 x i64>
// MADE-COUNT-4: call void @llvm.prefetch.p1(ptr addrspace(1) %{{.*}}, i32 0, i32 3, i32 1)
// MADE-COUNT-4: store <8 x i64>

LOOP(small, 64, t * 64)
// CHECK-LABEL: define {{.*}} @small.whole(
// CHECK: add i64 %{{.*}}, 8
// CHECK: call void @__heddle_call_once_copy_and_prefetch(ptr addrspace(4) %{{.*}}, ptr addrspace(4) %{{.*}}, i64 256,
// MADE-LABEL: define internal void @small(
// MADE: [[APART:%.*]] = call ptr addrspace(1) asm "", "=r,0"(ptr addrspace(1) %{{.*}})
// MADE-COUNT-4: load <8 x i64>
// MADE: getelementptr i8, ptr addrspace(1) [[APART]], i64 0
// MADE-COUNT-4: call void @llvm.prefetch.p1
// MADE-COUNT-4: store <8 x i64>

// Not for a source that is invariant or loaded from memory, and not for copies that are small, or too
// large to be expanded.
LOOP(same, 1024, step)
LOOP(told, 1024, from[t])
LOOP(few, 32, t * (size_t)step)
LOOP(many, 8192, t * (size_t)step)
// CHECK-LABEL: define {{.*}} @same.whole(
// CHECK-NOT: copy_and_prefetch(
