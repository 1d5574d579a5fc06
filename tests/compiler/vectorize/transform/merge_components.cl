// RUN: %heddlec --cpu=x86-64-v4 --width=64 --stage=vectorize %s | FileCheck %s
// RUN: %heddlec --cpu=x86-64-v3 --width=32 --stage=vectorize %s | FileCheck %s --check-prefix=AVX2
// Pixels of three bytes are moved by sub-groups as a whole: three registers of AVX-512, and one vector that LLVM puts
// together with AVX2.
// CHECK-LABEL: define internal void @swapped.whole(
// CHECK: load <192 x i8>
// CHECK-NOT: load i8
// CHECK-COUNT-3: store <64 x i8>
// CHECK: ret void
// AVX2-LABEL: define internal void @swapped.whole(
// AVX2: load <96 x i8>
// AVX2: store <96 x i8>
kernel void swapped(global uchar* out, global const uchar* in) {
  const size_t i = get_global_id(0);
  const uchar r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];
  out[3 * i] = b;
  out[3 * i + 2] = r;
  out[3 * i + 1] = g;
}

// Indices of int, whose products InstCombine combines with their shifts.
// CHECK-LABEL: define internal void @grey.whole(
// CHECK: load <192 x i8>
// CHECK-NOT: load i8
// CHECK: ret void
kernel void grey(global uchar* out, global const uchar* in) {
  const int i = get_global_id(0);
  out[i] = (in[3 * i] * 77 + in[3 * i + 1] * 150 + in[3 * i + 2] * 29) >> 8;
}

// CHECK-LABEL: define internal void @shorts.whole(
// CHECK: load <192 x i16>
// CHECK: store <64 x i16>
kernel void shorts(global ushort* out, global const ushort* in) {
  const size_t i = get_global_id(0);
  vstore3(vload3(i, in) + (ushort)1, i, out);
}

// Rows that are clamped to the picture, whose index is no sum.
// CHECK-LABEL: define internal void @clamped.whole(
// CHECK: load <192 x i8>
kernel void clamped(global uchar* out, global const uchar* in, int n) {
  const int i = get_global_id(0);
  const uchar3 pixel = vload3(0, in + min(i, n) * 3);
  out[i] = pixel.x ^ pixel.y ^ pixel.z;
}

// Words: every third one would be stored under a mask.
// CHECK-LABEL: define internal void @words.whole(
// CHECK: load <192 x float>
// CHECK-NOT: llvm.masked
// CHECK-COUNT-3: store <64 x float>
// CHECK: ret void
kernel void words(global float* out, global const float* in) {
  const size_t i = get_global_id(0);
  vstore3(vload3(i, in) * 0.5f, i, out);
}

// Inside of a picture whose border other work-items make up.
// CHECK-LABEL: define internal void @bordered.whole(
// CHECK: load <192 x i8>
// CHECK-COUNT-3: store <64 x i8>
// CHECK: ret void
kernel void bordered(global uchar* out, global const uchar* in, int left, int n) {
  const int i = get_global_id(0);
  int x = i - left;
  if (x < 0 || x >= n)
    x = clamp(x, 0, n - 1);
  vstore3(vload3(0, in + x * 3), i, out);
}

// Stores in between, through another pointer that leads elsewhere.
// CHECK-LABEL: define internal void @in_turn.whole(
// CHECK: load <192 x i8>
// CHECK-NOT: load i8
// CHECK-COUNT-3: store <64 x i8>
// CHECK: ret void
kernel void in_turn(global uchar* restrict out, global const uchar* in) {
  const size_t i = get_global_id(0) * 3;
  out[i] = in[i + 2];
  out[i + 1] = in[i + 1];
  out[i + 2] = in[i];
}

// What is loaded was stored since the first load.
// CHECK-LABEL: define internal void @in_place.whole(
// CHECK-NOT: load <192 x i8>
// CHECK: ret void
kernel void in_place(global uchar* out, global uchar* at) {
  const size_t i = get_global_id(0) * 3, other = at[get_global_id(0)] & 1;
  const uchar r = out[i], g = out[i + 1];
  out[i + 2] = r ^ g;
  out[i + 1 + other] = g + 1;
  out[i] = out[i + 2];
}

// A store in between may be to the same place; and of pixels of four channels three are not a whole.
// CHECK-LABEL: define internal void @interrupted.whole(
// CHECK-NOT: x i8>, ptr addrspace(1) %{{.*}}, align 1
// CHECK: ret void
kernel void interrupted(global uchar* out, global const uchar* in, global uchar* other) {
  const size_t i = get_global_id(0);
  const uchar r = in[3 * i], g = in[3 * i + 1];
  other[17 * i] = r;
  out[i * 17] = r + g + in[3 * i + 2];
}
