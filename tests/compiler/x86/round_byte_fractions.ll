; RUN: %heddle_opt --passes=round-byte-fractions %s | FileCheck %s
; RUN: %heddle_opt --passes=round-byte-fractions %s | llc -mcpu=x86-64-v4 | FileCheck %s --check-prefix=ASM
; Bytes divided by 255 take one multiplication that rounds up (10), after a shuffle that makes c * 257.

; CHECK-LABEL: define <16 x float> @second(
; CHECK-NEXT: [[BYTES:%.*]] = bitcast <16 x i32> %texels to <64 x i8>
; CHECK-NEXT: shufflevector <64 x i8> [[BYTES]], <64 x i8> zeroinitializer, <64 x i32> <i32 1, i32 1, i32 64, i32 64, i32 5,
; CHECK: [[NUMBERS:%.*]] = sitofp <16 x i32> %{{.*}} to <16 x float>
; CHECK-NEXT: [[RESULT:%.*]] = call <16 x float> @llvm.x86.avx512.mul.ps.512(<16 x float> [[NUMBERS]], <16 x float> splat (float 0x3EF0001000000000), i32 10)
; CHECK-NEXT: ret <16 x float> [[RESULT]]
; ASM-LABEL: second:
; ASM: vpshufb
; ASM-NEXT: vcvtdq2ps
; ASM-NEXT: vbroadcastss
; ASM-NEXT: vmulps {ru-sae}
; ASM-NEXT: retq
define <16 x float> @second(<16 x i32> %texels) {
  %shifted = lshr <16 x i32> %texels, splat (i32 8)
  %byte = and <16 x i32> %shifted, splat (i32 255)
  %c = uitofp nneg <16 x i32> %byte to <16 x float>
  %large = fmul contract <16 x float> %c, splat (float 0x3F70000000000000)
  %small = fmul contract <16 x float> %c, splat (float 0x3EF0101020000000)
  %sum = fadd contract <16 x float> %large, %small
  ret <16 x float> %sum
}

; The highest byte, terms in the other order, two registers.
; CHECK-LABEL: define <32 x float> @highest(
; CHECK-COUNT-2: call <16 x float> @llvm.x86.avx512.mul.ps.512(
; ASM-LABEL: highest:
; ASM-COUNT-2: vmulps {ru-sae}
define <32 x float> @highest(<32 x i32> %texels) {
  %byte = lshr <32 x i32> %texels, splat (i32 24)
  %c = sitofp <32 x i32> %byte to <32 x float>
  %small = fmul contract <32 x float> %c, splat (float 0x3EF0101020000000)
  %large = fmul contract <32 x float> %c, splat (float 0x3F70000000000000)
  %sum = fadd contract <32 x float> %small, %large
  ret <32 x float> %sum
}

; Not in smaller registers, which have no rounding mode, of larger integers, of bytes that are loaded as such, or with
; other factors.
; CHECK-LABEL: define void @others(
; CHECK-NOT: call
; CHECK: ret void
define void @others(<8 x i32> %few, <16 x i32> %texels, ptr %bytes, ptr %to) {
  %few.byte = and <8 x i32> %few, splat (i32 255)
  %few.c = uitofp <8 x i32> %few.byte to <8 x float>
  %few.large = fmul contract <8 x float> %few.c, splat (float 0x3F70000000000000)
  %few.small = fmul contract <8 x float> %few.c, splat (float 0x3EF0101020000000)
  %few.sum = fadd contract <8 x float> %few.large, %few.small
  store volatile <8 x float> %few.sum, ptr %to
  %nine.bits = and <16 x i32> %texels, splat (i32 511)
  %nine.c = uitofp <16 x i32> %nine.bits to <16 x float>
  %nine.large = fmul contract <16 x float> %nine.c, splat (float 0x3F70000000000000)
  %nine.small = fmul contract <16 x float> %nine.c, splat (float 0x3EF0101020000000)
  %nine.sum = fadd contract <16 x float> %nine.large, %nine.small
  store volatile <16 x float> %nine.sum, ptr %to
  %loaded = load <16 x i8>, ptr %bytes
  %loaded.byte = zext <16 x i8> %loaded to <16 x i32>
  %loaded.c = uitofp nneg <16 x i32> %loaded.byte to <16 x float>
  %loaded.large = fmul contract <16 x float> %loaded.c, splat (float 0x3F70000000000000)
  %loaded.small = fmul contract <16 x float> %loaded.c, splat (float 0x3EF0101020000000)
  %loaded.sum = fadd contract <16 x float> %loaded.large, %loaded.small
  store volatile <16 x float> %loaded.sum, ptr %to
  %byte = and <16 x i32> %texels, splat (i32 255)
  %c = uitofp nneg <16 x i32> %byte to <16 x float>
  %large = fmul contract <16 x float> %c, splat (float 0x3F70000000000000)
  %small = fmul contract <16 x float> %c, splat (float 0x3EF0001000000000)
  %sum = fadd contract <16 x float> %large, %small
  store volatile <16 x float> %sum, ptr %to
  ret void
}
