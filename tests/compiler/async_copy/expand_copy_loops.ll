; RUN: %heddle_opt --passes=expand-copy-loops %s | FileCheck %s
; Copies of constant size become moves of cache lines, or loops of them.
declare void @__heddle_call_once_copy_bytes(ptr addrspace(4), ptr addrspace(4), i64)

; Four lines are loaded before the first one is stored. The last line overlaps the one before.
; CHECK-LABEL: define void @moves(
; CHECK-COUNT-4: load <8 x i64>
; CHECK-COUNT-4: store <8 x i64>
; CHECK: getelementptr inbounds i8, ptr addrspace(4) %to, i64 236
; CHECK-NEXT: getelementptr inbounds i8, ptr addrspace(4) %from, i64 236
; CHECK-COUNT-1: load <8 x i64>
; CHECK-COUNT-1: store <8 x i64>
; CHECK-NOT: load
; CHECK: ret void
define void @moves(ptr addrspace(4) %to, ptr addrspace(4) %from) {
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 300)
  ret void
}

; 1100 bytes: two iterations of eight lines, and two lines that overlap them. The loop's header is
; aligned.
; CHECK-LABEL: define void @loop(
; CHECK: phi i64
; CHECK: [[OFFSET:%.*]] = mul nuw i64 %{{.*}}, 512
; CHECK: getelementptr inbounds i8, ptr addrspace(4) %to, i64 [[OFFSET]]
; CHECK-COUNT-8: load <8 x i64>
; CHECK-COUNT-8: store <8 x i64>
; CHECK: icmp eq i64 %{{.*}}, 2
; CHECK-NEXT: br i1 {{.*}}, !llvm.loop [[LOOP:![0-9]+]]
; CHECK: getelementptr inbounds i8, ptr addrspace(4) %from, i64 972
; CHECK-COUNT-2: load <8 x i64>
; CHECK-COUNT-2: store <8 x i64>
; CHECK: ret void
define void @loop(ptr addrspace(4) %to, ptr addrspace(4) %from) {
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1100)
  ret void
}

; Large copies are memcpy. A size that is not constant is left to the library's function.
; CHECK-LABEL: define void @calls(
; CHECK-NEXT: call void @llvm.memcpy{{.*}}, i64 16385, i1 false)
; CHECK-NEXT: call void @__heddle_call_once_copy_bytes({{.*}}, i64 %bytes)
; CHECK-NEXT: ret void
define void @calls(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 %bytes) {
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 16385)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 %bytes)
  ret void
}

; Specialized strided copies of up to 80 instructions are inlined.
; CHECK-LABEL: define void @strided(
; CHECK-NEXT: load i8
; CHECK-NEXT: store i8
; CHECK-NEXT: ret void
; CHECK-NOT: @__heddle_copy_elements
define internal void @__heddle_copy_elements.1(ptr %to, ptr %from) {
  %value = load i8, ptr %from
  store i8 %value, ptr %to
  ret void
}
define void @strided(ptr %to, ptr %from) {
  call void @__heddle_copy_elements.1(ptr %to, ptr %from)
  ret void
}

; CHECK: [[LOOP]] = distinct !{[[LOOP]], [[ALIGN:![0-9]+]]}
; CHECK: [[ALIGN]] = !{!"llvm.loop.align", i32 64}
