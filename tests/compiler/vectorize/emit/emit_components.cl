// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s

// A component that a uniform index chooses: selects between the vectors of components.
kernel void pick(global float* a, global const float4* b, int n) {
  size_t i = get_global_id(0);
  a[i] = b[i][n & 3];
}
// CHECK-LABEL: define internal void @pick.whole(
// CHECK: [[N:%.*]] = and i32 %n, 3
// CHECK: [[ONE:%.*]] = icmp eq i32 [[N]], 1
// CHECK: select i1 [[ONE]], <8 x float>
// CHECK-COUNT-2: select i1 %{{.*}}, <8 x float>
// CHECK-NOT: select
// CHECK: store <8 x float>

// A varying index: selects by lane, of which each bit of the index halves what is left.
kernel void pick_each(global float* a, global const float4* b, global const int* n) {
  size_t i = get_global_id(0);
  a[i] = b[i][n[i] & 3];
}
// CHECK-LABEL: define internal void @pick_each.whole(
// CHECK: [[LOW:%.*]] = and <8 x i32> [[N:%.*]], splat (i32 1)
// CHECK: [[ODD:%.*]] = icmp ne <8 x i32> [[LOW]], zeroinitializer
// CHECK-COUNT-2: select <8 x i1> [[ODD]], <8 x float>
// CHECK: [[HIGH:%.*]] = and <8 x i32> [[N]], splat (i32 2)
// CHECK: [[UPPER:%.*]] = icmp ne <8 x i32> [[HIGH]], zeroinitializer
// CHECK: select <8 x i1> [[UPPER]], <8 x float>
// CHECK-NOT: select
// CHECK: store <8 x float>

// A swizzle renames vectors: the only shuffles are those of the accesses.
kernel void swizzle(global float4* a, global const float4* b) {
  size_t i = get_global_id(0);
  a[i] = b[i].wxyz;
}
// CHECK-LABEL: define internal void @swizzle.whole(
// CHECK: [[ALL:%.*]] = load <32 x float>
// CHECK-DAG: [[X:%.*]] = shufflevector <32 x float> [[ALL]], <32 x float> poison, <8 x i32> <i32 0, i32 4,
// CHECK-DAG: [[W:%.*]] = shufflevector <32 x float> [[ALL]], <32 x float> poison, <8 x i32> <i32 3, i32 7,
// CHECK: shufflevector <8 x float> [[W]], <8 x float> [[X]], <16 x i32>
