// REQUIRES: x86
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

// A store in between may be to the same place.
// CHECK-LABEL: define internal void @interrupted.whole(
// CHECK-NOT: x i8>, ptr addrspace(1) %{{.*}}, align 1
// CHECK: ret void
kernel void interrupted(global uchar* out, global const uchar* in, global uchar* other) {
  const size_t i = get_global_id(0);
  const uchar r = in[3 * i], g = in[3 * i + 1];
  other[17 * i] = r;
  out[i * 17] = r + g + in[3 * i + 2];
}

// Two and four elements, which narrow ones are accessed with as one integer; also in a loop.
// CHECK-LABEL: define internal void @complex.whole(
// CHECK-COUNT-2: load <128 x float>
// CHECK-NOT: llvm.masked
// CHECK: store <128 x float>
// CHECK: ret void
kernel void complex(global float* restrict out, global const float* a, global const float* b) {
  const uint i = get_global_id(0) * 2;
  out[i] = a[i] * b[i] - a[i + 1] * b[i + 1];
  out[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
}
// CHECK-LABEL: define internal void @channels.whole(
// CHECK: load <256 x i8>
// CHECK: store <256 x i8>
// CHECK: ret void
// AVX2-LABEL: define internal void @channels.whole(
// AVX2: load <128 x i8>
// AVX2: store <128 x i8>
kernel void channels(global uchar* restrict out, global const uchar* in) {
  const size_t i = get_global_id(0);
  for (int c = 0; c < 4; ++c)
    out[4 * i + c] = ~in[4 * i + c];
}

// Some of the elements are loaded with what is in between: three bytes of four as a word, unless
// that is another page's for the last lane.
// CHECK-LABEL: define internal void @first_three.whole(
// CHECK: br i1
// CHECK: load <64 x i32>
// CHECK: call <4 x i8> @llvm.masked.load
kernel void first_three(global uchar* restrict out, global const uchar* in) {
  const size_t i = get_global_id(0);
  out[i] = (in[4 * i] * 77 + in[4 * i + 1] * 150 + in[4 * i + 2] * 29) >> 8;
}
// CHECK-LABEL: define internal void @ends.whole(
// CHECK: load <256 x float>
// CHECK-NOT: load
// CHECK: store <64 x float>
kernel void ends(global float* restrict out, global const float* in) {
  const size_t i = get_global_id(0);
  out[i] = in[4 * i + 3] - in[4 * i];
}
// Stores of some elements do not store the others.
// CHECK-LABEL: define internal void @not_all.whole(
// CHECK-NOT: store <192
// CHECK-COUNT-2: call void @llvm.masked.store.v192f32
// CHECK: ret void
kernel void not_all(global float* restrict out, global const float* in) {
  const size_t i = get_global_id(0);
  out[3 * i] = in[i];
  out[3 * i + 2] = in[i] + 1;
}

// At addresses of the lanes' own: a gather of words, and a load of 16 bytes for each lane.
// CHECK-LABEL: define internal void @table.whole(
// CHECK: call <64 x i32> @llvm.masked.gather
// CHECK-NOT: llvm.masked.gather
// CHECK: ret void
kernel void table(global uint* restrict out, global const uchar* in, global const uint* at) {
  const size_t i = get_global_id(0);
  global const uchar* pixel = in + 4 * at[i];
  out[i] = pixel[0] * 3 + pixel[1] * 5 + pixel[2] * 7 + pixel[3] * 11;
}
// CHECK-LABEL: define internal void @apart.whole(
// CHECK-COUNT-64: load <4 x float>
// CHECK-COUNT-64: store <4 x float>
// CHECK-NOT: scatter
// CHECK: ret void
kernel void apart(global float* restrict out, global const float* in) {
  const size_t i = get_global_id(0);
  global const float* from = in + 10 * i;
  global float* to = out + 12 * i;
  to[0] = from[3];
  to[1] = from[2];
  to[2] = from[1];
  to[3] = from[0];
}

// Lanes that interpolate access what their neighbors do: gathers of words, which are coalesced.
// CHECK-LABEL: define internal void @interpolated.whole(
// CHECK-COUNT-2: call <64 x float> @llvm.masked.gather
// CHECK: ret void
kernel void interpolated(global float* restrict out, global const float* in, float scale) {
  const int i = get_global_id(0);
  const float x = i * scale;
  const int at = (int)x;
  out[i] = mix(in[at], in[at + 1], x - at);
}
