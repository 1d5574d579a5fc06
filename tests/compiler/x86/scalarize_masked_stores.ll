; RUN: %heddle_opt --passes=scalarize-masked-stores %s | FileCheck %s
; A masked store of one lane that is known becomes a store of its element.
declare void @llvm.masked.store.v8i32.p1(<8 x i32>, ptr addrspace(1), <8 x i1>)
declare void @llvm.masked.store.v8i8.p0(<8 x i8>, ptr, <8 x i1>)
declare <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1), <8 x i1>, <8 x i32>)

; CHECK-LABEL: define void @one_lane(
; CHECK-NEXT: [[VALUE:%.*]] = extractelement <8 x i32> %v, i64 2
; CHECK-NEXT: [[ADDRESS:%.*]] = getelementptr inbounds i32, ptr addrspace(1) %p, i32 2
; CHECK-NEXT: store i32 [[VALUE]], ptr addrspace(1) [[ADDRESS]], align 8
; CHECK-NEXT: ret void
define void @one_lane(ptr addrspace(1) %p, <8 x i32> %v) {
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) align 32 %p, <8 x i1> <i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false>)
  ret void
}

; An unaligned vector's elements are unaligned, too.
; CHECK-LABEL: define void @unaligned(
; CHECK: store i32 %{{.*}}, ptr addrspace(1) %{{.*}}, align 1
define void @unaligned(ptr addrspace(1) %p, <8 x i32> %v) {
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) align 1 %p, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  ret void
}

; A non-temporal store stays one.
; CHECK-LABEL: define void @nontemporal(
; CHECK: store i32 %{{.*}}, align 4, !nontemporal [[ONE:![0-9]+]]
; CHECK-NEXT: ret void
define void @nontemporal(ptr addrspace(1) %p, <8 x i32> %v) {
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) align 4 %p, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>), !nontemporal !0
  ret void
}

; Not for several lanes, none, lanes that are not known, or loads.
; CHECK-LABEL: define void @others(
; CHECK-NOT: store {{i32|i8}}
; CHECK-COUNT-4: call void @llvm.masked.store.v8i32.p1(
; CHECK-NOT: store {{i32|i8}}
; CHECK: call <8 x i32> @llvm.masked.load.v8i32.p1(
; CHECK: ret void
define void @others(ptr addrspace(1) %p, <8 x i32> %v, <8 x i1> %mask) {
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) align 4 %p, <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) align 4 %p, <8 x i1> zeroinitializer)
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) align 4 %p, <8 x i1> %mask)
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) align 4 %p, <8 x i1> <i1 true, i1 undef, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %loaded = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) align 4 %p, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x i32> zeroinitializer)
  ret void
}

; Lanes of a vector in memory that are less than a byte have no address.
declare void @llvm.masked.store.v8i1.p0(<8 x i1>, ptr, <8 x i1>)
; CHECK-LABEL: define void @bits(
; CHECK-NEXT: call void @llvm.masked.store.v8i1.p0(
; CHECK-NEXT: ret void
define void @bits(ptr %p, <8 x i1> %v) {
  call void @llvm.masked.store.v8i1.p0(<8 x i1> %v, ptr align 1 %p, <8 x i1> <i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false>)
  ret void
}

!0 = !{i32 1}
; CHECK: [[ONE]] = !{i32 1}
