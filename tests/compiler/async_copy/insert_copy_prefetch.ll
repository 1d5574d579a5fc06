; RUN: %heddle_opt --passes=insert-copy-prefetch %s | FileCheck %s
; Copies in loops prefetch the source of a later iteration, if the loop tells where that is.
declare void @__heddle_call_once_copy_bytes(ptr addrspace(4), ptr addrspace(4), i64)

; 1024 bytes: two iterations later, so that the distance is 2 KiB.
; CHECK-LABEL: define void @affine(
; CHECK: [[LATER:%.*]] = add i64 %i, 2
; CHECK: [[OFFSET:%.*]] = shl i64 [[LATER]], 10
; CHECK: [[NEXT:%.*]] = getelementptr i8, ptr addrspace(1) %source, i64 [[OFFSET]]
; CHECK: call void @__heddle_call_once_copy_and_prefetch(ptr addrspace(4) %to, ptr addrspace(4) %generic, i64 1024, ptr addrspace(1) [[NEXT]])
define void @affine(ptr addrspace(4) %to, ptr addrspace(1) %source, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %offset = shl i64 %i, 10
  %from = getelementptr inbounds i8, ptr addrspace(1) %source, i64 %offset
  %generic = addrspacecast ptr addrspace(1) %from to ptr addrspace(4)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %generic, i64 1024)
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The stride may be a loop-invariant value, and the induction variable a pointer. 4096 bytes: the
; next iteration.
; CHECK-LABEL: define void @strided_pointer(
; CHECK: [[STRIDE:%.*]] = mul i64 %stride, 1
; CHECK: [[NEXT:%.*]] = getelementptr i8, ptr addrspace(1) %from, i64 [[STRIDE]]
; CHECK: call void @__heddle_call_once_copy_and_prefetch({{.*}}, i64 4096, ptr addrspace(1) [[NEXT]])
define void @strided_pointer(ptr addrspace(4) %to, ptr addrspace(1) %source, i64 %stride, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = phi ptr addrspace(1) [ %source, %entry ], [ %from.next, %loop ]
  %generic = addrspacecast ptr addrspace(1) %from to ptr addrspace(4)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %generic, i64 4096)
  %from.next = getelementptr i8, ptr addrspace(1) %from, i64 %stride
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not outside of loops, for sources that are the same in all iterations or in local memory, for
; sizes that are not constant, small or large,
; CHECK-LABEL: define void @others(
; CHECK-NOT: @__heddle_call_once_copy_and_prefetch
; CHECK: ret void
define void @others(ptr addrspace(4) %to, ptr addrspace(1) %source, ptr addrspace(3) %local, i64 %n) {
entry:
  %fixed = addrspacecast ptr addrspace(1) %source to ptr addrspace(4)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %fixed, i64 1024)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %offset = shl i64 %i, 10
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %fixed, i64 1024)
  %in.local = getelementptr i8, ptr addrspace(3) %local, i64 %offset
  %from.local = addrspacecast ptr addrspace(3) %in.local to ptr addrspace(4)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from.local, i64 1024)
  %from = getelementptr i8, ptr addrspace(1) %source, i64 %offset
  %generic = addrspacecast ptr addrspace(1) %from to ptr addrspace(4)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %generic, i64 %n)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %generic, i64 128)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %generic, i64 32768)
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; nor where the next source is not affine in the induction variable.
; CHECK-LABEL: define void @not_affine(
; CHECK-NOT: @__heddle_call_once_copy_and_prefetch
; CHECK: ret void
define void @not_affine(ptr addrspace(4) %to, ptr addrspace(1) %source, ptr addrspace(1) %table, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %loop ]
  %doubled = getelementptr i8, ptr addrspace(1) %source, i64 %i
  %generic = addrspacecast ptr addrspace(1) %doubled to ptr addrspace(4)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %generic, i64 1024)
  %slot = getelementptr i64, ptr addrspace(1) %table, i64 %i
  %loaded = load i64, ptr addrspace(1) %slot
  %from = getelementptr i8, ptr addrspace(1) %source, i64 %loaded
  %from.generic = addrspacecast ptr addrspace(1) %from to ptr addrspace(4)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from.generic, i64 1024)
  %i.next = shl i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
