// Conversions to bfloat16: instructions where the CPU has them, of vectors and of scalars; integer arithmetic elsewhere. LLVM 22 has no
// conversion of vectors longer than NEON's.
// REQUIRES: qemu
// RUN: %heddlec --cpu=armv8.2-a+bf16 --extensions=cl_intel_bfloat16_conversions -o %t.bf16 %s
// RUN: llvm-objdump -d --mattr=+bf16 %t.bf16.lanes %t.bf16.scalar | FileCheck %s
// RUN: %heddlec --cpu=armv8-a --extensions=cl_intel_bfloat16_conversions -o %t.none %s
// RUN: llvm-objdump -d --mattr=+bf16 %t.none.lanes %t.none.scalar | FileCheck %s --check-prefix=NONE
// RUN: env QEMU_CPU=max,sve256=on HEDDLE_SVE_BITS=256 %heddlec --cpu=sve+bf16 --extensions=cl_intel_bfloat16_conversions -o %t.sve %s
// RUN: llvm-objdump -d --mattr=+bf16,+sve %t.sve.lanes %t.sve.scalar | FileCheck %s

// CHECK-LABEL: <lanes>:
// CHECK: bfcvtn v[[RESULT:[0-9]+]].4h, v{{[0-9]+}}.4s
// CHECK: bfcvtn2 v[[RESULT]].8h, v{{[0-9]+}}.4s
// CHECK: ret
// NONE-NOT: bfcvt
kernel void lanes(global ushort* out, global const float* in) {
  const size_t i = get_global_id(0);
  out[i] = intel_convert_bfloat16_as_ushort(in[i]);
}

// CHECK-LABEL: <scalar>:
// CHECK: bfcvt h{{[0-9]+}}, s{{[0-9]+}}
// CHECK: ret
kernel void scalar(global ushort* out, float in) {
  if (get_global_id(0) == 0)
    out[0] = intel_convert_bfloat16_as_ushort(in);
}
