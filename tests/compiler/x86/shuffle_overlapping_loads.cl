// RUN: %heddlec %s --stage=optimize --width=16 --cpu=znver4 | FileCheck %s
// RUN: %heddlec %s --stage=optimize --width=16 --cpu=x86-64-v4 | FileCheck --check-prefix=PLAIN %s
// Of many vectors that overlap, every second one is put together from the first and the last.
kernel void taps(global float* to, global const float* from) {
  size_t i = get_global_id(0);
  to[i] = from[i] + from[i + 1] * 2 + from[i + 2] * 3 + from[i + 3] * 5 + from[i + 4] * 7 + from[i + 5] * 11 +
          from[i + 6] * 13 + from[i + 7] * 17 + from[i + 8] * 19;
}
// CHECK-LABEL: define internal void @taps(
// As integers, of which code generation makes rotations.
// CHECK-COUNT-5: load <16 x i32>
// CHECK-NOT: load <16 x {{i32|float}}>
// CHECK: shufflevector <16 x i32> %{{.*}}, <16 x i32> %{{.*}}, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24>
// CHECK: shufflevector <16 x i32> %{{.*}}, <16 x i32> %{{.*}}, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26>
// CHECK: store <16 x float>
// PLAIN-LABEL: define internal void @taps(
// PLAIN-COUNT-9: load <16 x float>
// PLAIN-NOT: shufflevector <16 x {{i32|float}}> %{{.*}}, <16 x {{i32|float}}> %
// PLAIN: {{^}}}

// A few are loaded.
kernel void few(global float* to, global const float* from) {
  size_t i = get_global_id(0);
  to[i] = from[i] + from[i + 1] * 2 + from[i + 2] * 3 + from[i + 3] * 5;
}
// CHECK-LABEL: define internal void @few(
// CHECK-COUNT-4: load <16 x float>
// CHECK-NOT: shufflevector <16 x {{i32|float}}> %{{.*}}, <16 x {{i32|float}}> %
// CHECK: store <16 x float>

// What is stored in between may be what is loaded after it.
kernel void stores(global float* to, global const float* from) {
  size_t i = get_global_id(0);
  float first = from[i] + from[i + 2] + from[i + 4] + from[i + 6] + from[i + 8];
  to[i] = first;
  to[i + 4096] = first + from[i + 1] + from[i + 3] + from[i + 5] + from[i + 7];
}
// CHECK-LABEL: define internal void @stores(
// CHECK-COUNT-9: load <16 x float>
// CHECK-NOT: shufflevector <16 x {{i32|float}}> %{{.*}}, <16 x {{i32|float}}> %
// CHECK: {{^}}}
