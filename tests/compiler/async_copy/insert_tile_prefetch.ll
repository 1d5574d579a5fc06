; RUN: %heddle_opt --passes=insert-tile-prefetch %s | FileCheck %s
; A loop over a tile prefetches what is after the source of the tile's copy.
declare void @__heddle_call_once_copy_bytes(ptr addrspace(4), ptr addrspace(4), i64)
declare void @__heddle_call_once_copy_and_prefetch(ptr addrspace(4), ptr addrspace(4), i64, ptr addrspace(1))

; CHECK-LABEL: define void @tile(
; CHECK: %next_tile = getelementptr i8, ptr addrspace(4) %from, i64 4096
; CHECK: loop:
; CHECK: [[NEXT:%.*]] = getelementptr float, ptr addrspace(4) %next_tile, i64 %i
; CHECK-NEXT: [[LINE:%.*]] = getelementptr i8, ptr addrspace(4) [[NEXT]], i64 0
; CHECK-NEXT: call void @llvm.prefetch.p4(ptr addrspace(4) [[LINE]], i32 0, i32 3, i32 1)
; CHECK-NEXT: load <16 x float>
; CHECK-NOT: @llvm.prefetch
define void @tile(ptr addrspace(3) %tile, ptr addrspace(4) %from, ptr %out) {
entry:
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 4096)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %address = getelementptr float, ptr addrspace(3) %tile, i64 %i
  %value = load <16 x float>, ptr addrspace(3) %address
  store <16 x float> %value, ptr %out
  %i.next = add i64 %i, 16
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A copy after the loop has the source that is prefetched, and its own prefetches are dropped.
; CHECK-LABEL: define void @copy_after(
; CHECK: getelementptr float, ptr addrspace(4) %from, i64 %i
; CHECK: call void @llvm.prefetch.p4(
; CHECK: call void @__heddle_call_once_copy_and_prefetch({{.*}}, i64 4096, ptr addrspace(1) null)
define void @copy_after(ptr addrspace(3) %tile, ptr addrspace(4) %from, ptr %out, ptr addrspace(1) %next) {
entry:
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %address = getelementptr float, ptr addrspace(3) %tile, i64 %i
  %value = load <16 x float>, ptr addrspace(3) %address
  store <16 x float> %value, ptr %out
  %i.next = add i64 %i, 16
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %exit
exit:
  call void @__heddle_call_once_copy_and_prefetch(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 4096, ptr addrspace(1) %next)
  ret void
}

; Not for copies from local to global memory, for loops over other memory or that load scalars, and
; where the copy is in another loop.
; CHECK-LABEL: define void @others(
; CHECK-NOT: @llvm.prefetch
; CHECK: ret void
define void @others(ptr addrspace(3) %tile, ptr addrspace(4) %global, ptr %out, ptr %in, i1 %again) {
entry:
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %global, ptr addrspace(4) %to, i64 4096)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %address = getelementptr float, ptr addrspace(3) %tile, i64 %i
  %value = load <16 x float>, ptr addrspace(3) %address
  store <16 x float> %value, ptr %out
  %i.next = add i64 %i, 16
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %loop, label %copies
copies:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %global, i64 4096)
  br i1 %again, label %copies, label %private
private:
  %j = phi i64 [ 0, %copies ], [ %j.next, %private ]
  %from = getelementptr float, ptr %in, i64 %j
  %element = load <16 x float>, ptr %from
  store <16 x float> %element, ptr %out
  %place = getelementptr float, ptr addrspace(3) %tile, i64 %j
  %scalar = load float, ptr addrspace(3) %place
  store float %scalar, ptr %out
  %j.next = add i64 %j, 16
  %further = icmp ult i64 %j.next, 1024
  br i1 %further, label %private, label %exit
exit:
  ret void
}
