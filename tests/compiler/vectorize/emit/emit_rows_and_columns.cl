// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=x86-64-v4 | FileCheck %s

// Rows and columns of a picture in launches of one dimension: lane 0 tells whether all lanes are in one row, by
// scalar instructions, and then what they load is contiguous.
// CHECK-LABEL: define internal void @powers.whole(
// CHECK: [[COLUMN:%.*]] = and i32 %{{.*}}, 127
// CHECK: icmp ult i32 [[COLUMN]], 113
// CHECK: ashr i32 %{{.*}}, 7
// CHECK: load <16 x float>
// CHECK-NOT: icmp ne <16 x ptr
// CHECK: ret void
kernel void powers(global float* out, global const float* in) {
  const int i = get_global_id(0);
  out[i] = in[(i >> 7) * 200 + (i & 127) + 5];
}

// A width that is known at run time.
// CHECK-LABEL: define internal void @widths.whole(
// CHECK: udiv i32 %conv,
// CHECK: load <16 x float>
// CHECK-NOT: icmp ne <16 x ptr
// CHECK: ret void
kernel void widths(global float* out, global const float* in, uint w) {
  const uint i = get_global_id(0);
  out[i] = in[(i / w) * 200 + i % w];
}

// The same row for all: its clamps and wraps need no check of their own.
// CHECK-LABEL: define internal void @neighbors.whole(
// CHECK-NOT: icmp ne <16 x ptr
// CHECK: load <16 x float>
// CHECK-NOT: icmp ne <16 x ptr
// CHECK: ret void
kernel void neighbors(global float* out, global const float* in) {
  const int i = get_global_id(0), x = i & 255, y = i >> 8;
  out[i] = in[((y - 1) & 127) * 256 + ((x + 1) & 255)] + in[max(y - 1, 0) * 256 + x];
}

// Rows of a few columns: lanes are in several.
// CHECK-LABEL: define internal void @short_rows.whole(
// CHECK-NOT: icmp ult i32
// CHECK: llvm.masked.gather
// CHECK: ret void
kernel void short_rows(global float* out, global const float* in) {
  const int i = get_global_id(0);
  out[i] = in[(i / 3) * 200 + i % 3];
}
