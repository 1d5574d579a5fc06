// RUN: %heddlec --width=16 --cpu=x86-64-v4 %s --stage=vectorize | FileCheck %s --check-prefix=WIDE
// RUN: %heddlec --cpu=x86-64-v4 %s --stage=vectorize | FileCheck %s --check-prefix=ONE
// RUN: %heddlec --width=16 --cpu=x86-64-v3 %s --stage=vectorize | FileCheck %s --check-prefix=PLAIN
// Steps that the CPU has instructions for become these instructions, in vectors and alone; elsewhere
// they are the library's code. A vector wider than a register takes several.
// ONE-LABEL: define {{.*}} @logarithm.body(
// ONE: call <4 x float> @llvm.x86.avx512.mask.getmant.ps.128(<4 x float>
// WIDE-LABEL: define {{.*}} @logarithm.whole(
// WIDE: call <16 x float> @llvm.x86.avx512.mask.getmant.ps.512(<16 x float>
// WIDE: call <16 x float> @llvm.x86.avx512.mask.getexp.ps.512(<16 x float>
// WIDE-LABEL: define {{.*}} @root.whole(
// WIDE-COUNT-2: call <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(<8 x double>
// Picking from a table is a permutation of registers, and for one number a load.
// WIDE-LABEL: define {{.*}} @exponential.whole(
// WIDE: call <8 x double> @llvm.x86.avx512.vpermi2var.pd.512(<8 x double> <double 1.000000e+00,
// WIDE: call <8 x double> @llvm.x86.avx512.mask.scalef.pd.512(<8 x double>
// ONE-LABEL: define {{.*}} @exponential.body(
// ONE: [[NUMBER:%.*]] = and i64 %{{.*}}, 15
// ONE: getelementptr inbounds double, ptr addrspace({{[0-9]}}) @{{.*}}, i64 [[NUMBER]]
// PLAIN-NOT: __heddle_math
// PLAIN-NOT: llvm.x86
kernel void logarithm(global float* a) {
  size_t i = get_global_id(0);
  a[i] = log(a[i]);
}
kernel void root(global double* a) {
  size_t i = get_global_id(0);
  a[i] = rsqrt(a[i]);
}
kernel void exponential(global double* a) {
  size_t i = get_global_id(0);
  a[i] = exp(a[i]);
}
