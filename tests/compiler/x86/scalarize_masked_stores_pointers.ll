; RUN: %heddle_opt --passes=scalarize-masked-stores %s | FileCheck %s
; Where the CPU has no masked accesses, LLVM 22 gives the access to each pointer the alignment of the whole vector.
; CHECK-LABEL: define void @copy(
; CHECK: call <4 x ptr> @llvm.masked.load.v4p0.p0(ptr align 8 %from, <4 x i1> %m, <4 x ptr> poison)
; CHECK: call void @llvm.masked.store.v4p0.p0(<4 x ptr> %v, ptr align 8 %to, <4 x i1> <i1 true, i1 true, i1 true, i1 false>)
define void @copy(ptr %from, ptr %to, <4 x i1> %m) {
  %v = call <4 x ptr> @llvm.masked.load.v4p0.p0(ptr align 32 %from, <4 x i1> %m, <4 x ptr> poison)
  call void @llvm.masked.store.v4p0.p0(<4 x ptr> %v, ptr align 32 %to, <4 x i1> <i1 true, i1 true, i1 true, i1 false>)
  ret void
}
; Less stays, and so do other elements'.
; CHECK-LABEL: define void @others(
; CHECK: call void @llvm.masked.store.v4p0.p0(<4 x ptr> %v, ptr align 4 %to, <4 x i1> %m)
; CHECK: call void @llvm.masked.store.v4i64.p0(<4 x i64> %n, ptr align 32 %to, <4 x i1> %m)
define void @others(<4 x ptr> %v, <4 x i64> %n, ptr %to, <4 x i1> %m) {
  call void @llvm.masked.store.v4p0.p0(<4 x ptr> %v, ptr align 4 %to, <4 x i1> %m)
  call void @llvm.masked.store.v4i64.p0(<4 x i64> %n, ptr align 32 %to, <4 x i1> %m)
  ret void
}
declare <4 x ptr> @llvm.masked.load.v4p0.p0(ptr, <4 x i1>, <4 x ptr>)
declare void @llvm.masked.store.v4p0.p0(<4 x ptr>, ptr, <4 x i1>)
declare void @llvm.masked.store.v4i64.p0(<4 x i64>, ptr, <4 x i1>)
