// RUN: %heddlec %s --stage=vectorize --width=1 | FileCheck %s
// Where the control flow of many regions joins, a region begins: blocks are then copied for a few
// regions, however many barriers there are.
#define PLACE(k)                                                                                   \
  for (int c = 0; c < n; ++c)                                                                      \
    if (m > (c ^ k)) {                                                                             \
      t[l] = v;                                                                                    \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                \
      v += t[l ^ k] * k;                                                                           \
    }

// Twelve barriers, and regions that begin at the ends of loops.
kernel void many(global int* a, local int* t, int n, int m) {
  size_t l = get_local_id(0);
  int v = a[l];
  PLACE(1) PLACE(2) PLACE(3) PLACE(4) PLACE(5) PLACE(6)
  PLACE(7) PLACE(8) PLACE(9) PLACE(10) PLACE(11) PLACE(12)
  a[l] = v;
}
// CHECK-LABEL: define internal i32 @many.item(
// CHECK: switch i32 %region
// CHECK: i32 12, label
// CHECK-NEXT: i32 13, label
// CHECK: ]

// What three have in common is not worth another.
kernel void few(global int* a, local int* t, int n, int m) {
  size_t l = get_local_id(0);
  int v = a[l];
  PLACE(1) PLACE(2) PLACE(3)
  a[l] = v;
}
// CHECK-LABEL: define internal i32 @few.item(
// CHECK: switch i32 %region
// CHECK: i32 3, label
// CHECK-NEXT: ]

// Straight code is of one region anyway.
#define STEP(k)                                                                                    \
  t[l] = v;                                                                                        \
  barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
  v += t[l ^ k] * k;
kernel void straight(global int* a, local int* t) {
  size_t l = get_local_id(0);
  int v = a[l];
  STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6)
  STEP(7) STEP(8) STEP(9) STEP(10) STEP(11) STEP(12)
  a[l] = v;
}
// CHECK-LABEL: define internal i32 @straight.item(
// CHECK: switch i32 %region
// CHECK: i32 12, label
// CHECK-NEXT: ]
