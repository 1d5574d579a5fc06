// RUN: %heddlec %s --local=8x16x1 --width=8 --print-after=divide-linear-ids -o %t 2>&1 | FileCheck %s
// RUN: %heddlec %s --local=8x16x1 --width=8 --stage=vectorize | FileCheck %s --check-prefix=VECTOR
// RUN: %heddlec %s --local=4x16x1 --width=4 --print-after=divide-linear-ids -o %t 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: %heddlec %s --local=12x4x2 --width=4 --print-after=divide-linear-ids -o %t 2>&1 | FileCheck %s --check-prefix=TWELVE
// Quotients and remainders of linear ids are computed from the ids, so that lanes have strides.

// A tile of 32 columns: rows are two thirds of a group's.
// CHECK-LABEL: define {{.*}}void @tile.body(
// CHECK-NOT: srem
// CHECK-NOT: sdiv
// CHECK: ret void
// VECTOR-LABEL: define {{.*}}@tile.{{whole|block}}
// VECTOR-NOT: call {{.*}}gather
// VECTOR-NOT: call {{.*}}scatter
// VECTOR: ret void
// Short rows keep them.
// SHORT-LABEL: define {{.*}}void @tile.body(
// SHORT: srem
kernel void tile(global float* out, global const float* in, int columns) {
  local float t[16][32];
  int id = get_local_id(0) + get_local_size(0) * get_local_id(1);
  for (int i = 0; i < 4; ++i) {
    int row = (id + 128 * i) / 32, column = (id + 128 * i) % 32;
    t[row][column] = in[row * columns + column];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * columns + get_global_id(0)] = t[get_local_id(1)][get_local_id(0)];
}

// Unsigned, by shifts and masks.
// CHECK-LABEL: define {{.*}}void @bits.body(
// CHECK: udiv i64 %local_y, 2
// CHECK: [[ODD:%.*]] = urem {{i64|i32}} %{{.*}}, 2
// CHECK: mul nuw nsw {{i64|i32}} [[ODD]], 8
// CHECK: ret void
kernel void bits(global uint* row, global uint* column) {
  size_t id = get_local_id(0) + 8 * get_local_id(1);
  row[get_global_id(0)] = id >> 4;
  column[get_global_id(0)] = id & 15;
}

// Rows that are no power of two: 12 * 4 items are a plane.
// TWELVE-LABEL: define {{.*}}void @planes.body(
// TWELVE-NOT: srem
// TWELVE-NOT: sdiv
// TWELVE: store
// TWELVE: ret void
kernel void planes(global int* out) {
  int id = get_local_id(0) + 12 * (get_local_id(1) + 4 * get_local_id(2));
  out[get_global_id(0)] = (id % 12) * 100 + id / 12 % 4 * 10 + id / 48;
}

// What may be negative, or is no quotient of the ids, stays.
// CHECK-LABEL: define {{.*}}void @others.body(
// CHECK: sdiv
// CHECK: srem
// CHECK: srem
// CHECK: lshr
// CHECK: ret void
kernel void others(global int* out, int n) {
  int id = get_local_id(0) + 8 * get_local_id(1);
  out[get_global_id(0)] = (id - 16) / 8 + id % 5 + (id + n) % 8;
  // Only what is known not to be negative, and not to wrap around.
  for (uint i = 0; i < 3; ++i)
    out[i] += (id + i * n) / 8u;
}
