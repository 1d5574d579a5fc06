// RUN: %heddlec %s --stage=frontend | FileCheck %s
// RUN: %heddlec %s --stage=frontend -- -cl-unsafe-math-optimizations | FileCheck %s --check-prefix=FAST
// RUN: %heddlec %s --stage=frontend -- -cl-fast-relaxed-math | FileCheck %s --check-prefix=FAST
// RUN: %heddlec %s --stage=frontend -- -cl-mad-enable | FileCheck %s --check-prefix=FAST
// Products and sums are contracted within an expression; where the options allow more, they are instructions that may be
// contracted, and that the optimizer may reassociate. FP_CONTRACT OFF counts everywhere.

// CHECK-LABEL: @within(
// CHECK: call float @llvm.fmuladd.f32
// FAST-LABEL: @within(
// FAST: fmul {{.*(fast|contract).*}} float
// FAST: fsub {{.*(fast|contract).*}} float
float within(float s) { return 10 - s * 0.99f; }

// CHECK-LABEL: @off(
// CHECK: fmul float
// CHECK: fsub float
// FAST-LABEL: @off(
// FAST-NOT: {{fast|contract}}
// FAST: ret float
float off(float s) {
#pragma OPENCL FP_CONTRACT OFF
  return 10 - s * 0.99f;
}
