; RUN: %heddle_opt --passes=coalesce-gathers --cpu=x86-64-v4 %s | FileCheck %s
; RUN: %heddle_opt --passes=coalesce-gathers --cpu=x86-64-v3 %s | FileCheck %s --check-prefix=NONE
; A marked gather whose lanes are all within 32 elements, which is decided at run time, is two loads and a permutation.

; NONE-NOT: vpermi2var
; NONE-NOT: mask.expand
; CHECK-LABEL: define <16 x i32> @gather(
; CHECK: [[ADDRESSES:%.*]] = ptrtoint <16 x ptr addrspace(1)> %p to <16 x i64>
; CHECK: [[FIRST:%.*]] = extractelement <16 x i64> %{{.*}}, i64 0
; CHECK: [[BEGIN:%.*]] = and i64 [[FIRST]], -64
; What is loaded too much is in the page of the first lane.
; CHECK: [[PAGE:%.*]] = and i64 [[BEGIN]], -4096
; CHECK: [[LAST:%.*]] = or i64 [[PAGE]], 3968
; CHECK: call i64 @llvm.umin.i64(i64 [[BEGIN]], i64 [[LAST]])
; CHECK: icmp ult <16 x i64> %{{.*}}, splat (i64 128)
; CHECK: br i1 %{{.*}}, label %[[NEAR:.*]], label %[[FAR:[0-9]+]]
; CHECK: [[NEAR]]:
; CHECK: [[LOW:%.*]] = load <16 x i32>, ptr addrspace(1) %{{.*}}, align 4
; CHECK: [[HIGH:%.*]] = load <16 x i32>, ptr addrspace(1) %{{.*}}, align 4
; CHECK: [[PERMUTED:%.*]] = call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(<16 x i32> [[LOW]], <16 x i32> %{{.*}}, <16 x i32> [[HIGH]])
; CHECK: [[FAR]]:
; CHECK-NEXT: [[GATHERED:%.*]] = call <16 x i32> @llvm.masked.gather.v16i32.v16p1(
; CHECK: phi <16 x i32> [ [[PERMUTED]], %[[NEAR]] ], [ [[GATHERED]], %[[FAR]] ]
define <16 x i32> @gather(<16 x ptr addrspace(1)> %p) {
  %v = call <16 x i32> @llvm.masked.gather.v16i32.v16p1(<16 x ptr addrspace(1)> align 4 %p, <16 x i1> splat (i1 true), <16 x i32> poison), !heddle.orderly !0
  ret <16 x i32> %v
}

; Inactive lanes may be anywhere, but for the first one, whose page is loaded from.
; CHECK-LABEL: define <16 x float> @masked_gather(
; CHECK: [[INACTIVE:%.*]] = xor <16 x i1> %{{.*}}, splat (i1 true)
; CHECK: or <16 x i1> %{{.*}}, [[INACTIVE]]
; CHECK: [[FIRST:%.*]] = extractelement <16 x i1> %{{.*}}, i64 0
; CHECK: and i1 %{{.*}}, [[FIRST]]
; CHECK: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
define <16 x float> @masked_gather(<16 x ptr addrspace(1)> %p, <16 x i1> %mask) {
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)> align 4 %p, <16 x i1> %mask, <16 x float> poison), !heddle.orderly !0
  ret <16 x float> %v
}

; They get what the gather gives them.
; CHECK-LABEL: define <16 x i32> @inactive_lanes(
; CHECK: [[PERMUTED:%.*]] = call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
; CHECK-NEXT: [[NEAR:%.*]] = select <16 x i1> %mask, <16 x i32> [[PERMUTED]], <16 x i32> %inactive
; CHECK: phi <16 x i32> [ [[NEAR]], %
define <16 x i32> @inactive_lanes(<16 x ptr addrspace(1)> %p, <16 x i1> %mask, <16 x i32> %inactive) {
  %v = call <16 x i32> @llvm.masked.gather.v16i32.v16p1(<16 x ptr addrspace(1)> align 4 %p, <16 x i1> %mask, <16 x i32> %inactive), !heddle.orderly !0
  ret <16 x i32> %v
}

; Lanes of a scatter have to be in ascending order, too: then they are expanded to the elements that they are for.
; CHECK-LABEL: define void @scatter(
; CHECK: [[NEXT:%.*]] = shufflevector <16 x i32> %{{.*}}, <16 x i32> splat (i32 32), <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
; CHECK: icmp ult <16 x i32> %{{.*}}, [[NEXT]]
; CHECK: call <16 x i32> @llvm.x86.avx512.mask.expand.v16i32(
; CHECK: call void @llvm.masked.store.v16i32.p1(
; CHECK: call <16 x i32> @llvm.x86.avx512.mask.expand.v16i32(
; CHECK: call void @llvm.masked.store.v16i32.p1(
; CHECK: call void @llvm.masked.scatter.v16i32.v16p1(
define void @scatter(<16 x i32> %v, <16 x ptr addrspace(1)> %p) {
  call void @llvm.masked.scatter.v16i32.v16p1(<16 x i32> %v, <16 x ptr addrspace(1)> align 4 %p, <16 x i1> splat (i1 true)), !heddle.orderly !0
  ret void
}

; Not without a mark, for elements of other sizes, pointers, or fewer lanes than a register has.
; CHECK-LABEL: define void @others(
; CHECK-NOT: br
; CHECK: ret void
define void @others(<16 x ptr addrspace(1)> %p, <8 x ptr addrspace(1)> %q) {
  %unmarked = call <16 x i32> @llvm.masked.gather.v16i32.v16p1(<16 x ptr addrspace(1)> align 4 %p, <16 x i1> splat (i1 true), <16 x i32> poison)
  %long = call <16 x i64> @llvm.masked.gather.v16i64.v16p1(<16 x ptr addrspace(1)> align 8 %p, <16 x i1> splat (i1 true), <16 x i64> poison), !heddle.orderly !0
  %byte = call <16 x i8> @llvm.masked.gather.v16i8.v16p1(<16 x ptr addrspace(1)> align 1 %p, <16 x i1> splat (i1 true), <16 x i8> poison), !heddle.orderly !0
  %eight = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> align 4 %q, <8 x i1> splat (i1 true), <8 x i32> poison), !heddle.orderly !0
  ret void
}
!0 = !{}

; Halves, of which the CPU has no gather: the window has 64 bytes.
; CHECK-LABEL: define <32 x half> @halves(
; CHECK: or i64 %{{.*}}, 4032
; CHECK: icmp ult <16 x i64> %{{.*}}, splat (i64 64)
; CHECK: lshr <16 x i64> %{{.*}}, splat (i64 1)
; CHECK: load <16 x i16>, ptr addrspace(1) %{{.*}}, align 2
; CHECK-COUNT-2: call <16 x i16> @llvm.x86.avx512.vpermi2var.hi.256(
define <32 x half> @halves(<32 x ptr addrspace(1)> %p) {
  %v = call <32 x half> @llvm.masked.gather.v32f16.v32p1(<32 x ptr addrspace(1)> align 2 %p, <32 x i1> splat (i1 true), <32 x half> poison), !heddle.orderly !0
  ret <32 x half> %v
}

; Elements that are not aligned, as the members of packed structures, may lie between those of a window. It begins as far
; behind a multiple of four as the first one.
; CHECK-LABEL: define void @packed_scatter(
; CHECK: [[BEGIN:%.*]] = and i64 %{{.*}}, -61
; CHECK: [[WITHIN:%.*]] = icmp ult <16 x i64> %{{.*}}, splat (i64 128)
; CHECK: [[BETWEEN:%.*]] = and <16 x i64> %{{.*}}, splat (i64 3)
; CHECK-NEXT: [[WHOLE:%.*]] = icmp eq <16 x i64> [[BETWEEN]], zeroinitializer
; CHECK-NEXT: and <16 x i1> [[WITHIN]], [[WHOLE]]
; CHECK: call void @llvm.masked.store.v16i32.p1(<16 x i32> %{{.*}}, ptr addrspace(1) align 1 %{{.*}},
define void @packed_scatter(<16 x i32> %v, <16 x ptr addrspace(1)> %p) {
  call void @llvm.masked.scatter.v16i32.v16p1(<16 x i32> %v, <16 x ptr addrspace(1)> align 1 %p, <16 x i1> splat (i1 true)), !heddle.orderly !0
  ret void
}

; CHECK-LABEL: define <16 x i32> @packed_gather(
; CHECK: [[BEGIN:%.*]] = and i64 %{{.*}}, -61
; CHECK: and <16 x i64> %{{.*}}, splat (i64 3)
; CHECK-COUNT-2: load <16 x i32>, ptr addrspace(1) %{{.*}}, align 1
define <16 x i32> @packed_gather(<16 x ptr addrspace(1)> %p) {
  %v = call <16 x i32> @llvm.masked.gather.v16i32.v16p1(<16 x ptr addrspace(1)> align 1 %p, <16 x i1> splat (i1 true), <16 x i32> poison), !heddle.orderly !0
  ret <16 x i32> %v
}

; CHECK-LABEL: define <32 x half> @packed_halves(
; CHECK: [[BEGIN:%.*]] = and i64 %{{.*}}, -31
; CHECK: and <16 x i64> %{{.*}}, splat (i64 1)
; CHECK: load <16 x i16>, ptr addrspace(1) %{{.*}}, align 1
define <32 x half> @packed_halves(<32 x ptr addrspace(1)> %p) {
  %v = call <32 x half> @llvm.masked.gather.v32f16.v32p1(<32 x ptr addrspace(1)> align 1 %p, <32 x i1> splat (i1 true), <32 x half> poison), !heddle.orderly !0
  ret <32 x half> %v
}
