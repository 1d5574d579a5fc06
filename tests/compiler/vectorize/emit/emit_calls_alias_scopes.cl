// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=x86-64-v4 | FileCheck %s
// The alias scopes of a function's restrict pointers hold for one execution of it. In a loop their declarations are
// kept: LLVM makes scopes of their own for each of the iterations that it unrolls.
static void step(global float* restrict out, global const float* restrict in) { *out = *in * 0.5f + 1; }
kernel void loop(global float* p, global const int* to, global const int* from, int n) {
  for (int j = 0; j < n; ++j)
    step(p + to[j] + get_global_id(0), p + from[j] + get_global_id(0));
}
// CHECK-LABEL: define internal void @loop.whole(
// CHECK: phi
// CHECK: call void @llvm.experimental.noalias.scope.decl(metadata [[SCOPES:![0-9]+]])
// CHECK: load <16 x float>, {{.*}} !noalias [[SCOPES]]
// CHECK: store <16 x float> {{.*}} !alias.scope [[SCOPES]]

kernel void once(global float* p, global float* q) {
  step(p + get_global_id(0), q + get_global_id(0));
}
// CHECK-LABEL: define internal void @once.whole(
// CHECK-NOT: scope.decl
// CHECK: ret void
