; RUN: %heddle_opt --passes=elide-local-copies %s | FileCheck %s
; A copy to local memory is elided only if all reads are within its bytes: what is known of the index decides.
declare void @heddle.barrier() #0
declare i1 @__heddle_sub_group_is_leader()
declare void @__heddle_call_once_copy_bytes(ptr addrspace(4), ptr addrspace(4), i64)
declare ptr addrspace(3) @heddle.local_variable(ptr, i64, i64) #1

; Bits that a mask leaves.
; CHECK-LABEL: define void @mask.body(
; CHECK: call void @__heddle_call_once_copy_unless_elided(
; CHECK: load float, ptr addrspace(4)
define void @mask.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #2 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
  br label %done
done:
  call void @heddle.barrier()
  %index = and i64 %n, 255
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

; The type of a value that was extended.
; CHECK-LABEL: define void @small_type.body(
; CHECK: call void @__heddle_call_once_copy_unless_elided(
; CHECK: load float, ptr addrspace(4)
define void @small_type.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #3 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
  br label %done
done:
  call void @heddle.barrier()
  %byte = trunc i64 %n to i8
  %index = zext i8 %byte to i64
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

; A sum of two that are known.
; CHECK-LABEL: define void @sum.body(
; CHECK: call void @__heddle_call_once_copy_unless_elided(
; CHECK: load float, ptr addrspace(4)
define void @sum.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #4 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
  br label %done
done:
  call void @heddle.barrier()
  %a = and i64 %n, 127
  %b = and i64 %m, 127
  %index = add i64 %a, %b
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

; A product.
; CHECK-LABEL: define void @product.body(
; CHECK: call void @__heddle_call_once_copy_unless_elided(
; CHECK: load float, ptr addrspace(4)
define void @product.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #5 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
  br label %done
done:
  call void @heddle.barrier()
  %a = and i64 %n, 63
  %index = shl i64 %a, 2
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

; The larger one of two values.
; CHECK-LABEL: define void @both_values.body(
; CHECK: call void @__heddle_call_once_copy_unless_elided(
; CHECK: load float, ptr addrspace(4)
define void @both_values.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #6 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
  br label %done
done:
  call void @heddle.barrier()
  %first = icmp eq i64 %m, 0
  br i1 %first, label %join, label %other
other:
  %b = and i64 %n, 255
  br label %join
join:
  %index = phi i64 [ 7, %done ], [ %b, %other ]
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

; A comparison on the way.
; CHECK-LABEL: define void @compared.body(
; CHECK: call void @__heddle_call_once_copy_unless_elided(
; CHECK: load float, ptr addrspace(4)
define void @compared.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #7 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
  br label %done
done:
  call void @heddle.barrier()
  %below = icmp ult i64 %n, 256
  br i1 %below, label %join, label %other
other:
  br label %join
join:
  %index = phi i64 [ %n, %done ], [ 0, %other ]
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

; Not a value of which nothing is known,
; CHECK-LABEL: define void @unknown.body(
; CHECK-NOT: unless_elided
; CHECK: load float, ptr addrspace(3)
define void @unknown.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #8 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
  br label %done
done:
  call void @heddle.barrier()
  %index = add i64 %n, 0
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

; a mask that is one bit too long,
; CHECK-LABEL: define void @too_large.body(
; CHECK-NOT: unless_elided
; CHECK: load float, ptr addrspace(3)
define void @too_large.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #9 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
  br label %done
done:
  call void @heddle.barrier()
  %index = and i64 %n, 511
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

; a sum that is above by one,
; CHECK-LABEL: define void @large_sum.body(
; CHECK-NOT: unless_elided
; CHECK: load float, ptr addrspace(3)
define void @large_sum.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #10 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
  br label %done
done:
  call void @heddle.barrier()
  %a = and i64 %n, 255
  %b = and i64 %m, 1
  %index = add i64 %a, %b
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

; a difference, which may be negative,
; CHECK-LABEL: define void @difference.body(
; CHECK-NOT: unless_elided
; CHECK: load float, ptr addrspace(3)
define void @difference.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #11 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
  br label %done
done:
  call void @heddle.barrier()
  %a = and i64 %n, 127
  %index = sub i64 %a, 1
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

; a comparison of signed numbers,
; CHECK-LABEL: define void @signed.body(
; CHECK-NOT: unless_elided
; CHECK: load float, ptr addrspace(3)
define void @signed.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #12 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
  br label %done
done:
  call void @heddle.barrier()
  %below = icmp slt i64 %n, 256
  br i1 %below, label %join, label %other
other:
  br label %join
join:
  %index = phi i64 [ %n, %done ], [ 0, %other ]
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

; or the edge of a comparison that is false.
; CHECK-LABEL: define void @other_edge.body(
; CHECK-NOT: unless_elided
; CHECK: load float, ptr addrspace(3)
define void @other_edge.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #13 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
  br label %done
done:
  call void @heddle.barrier()
  %below = icmp ult i64 %n, 256
  br i1 %below, label %other, label %join
other:
  br label %join
join:
  %index = phi i64 [ %n, %done ], [ 0, %other ]
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

attributes #0 = { convergent noduplicate nounwind }
attributes #1 = { nounwind speculatable willreturn memory(none) }
attributes #2 = { "heddle-kernel"="mask" "heddle-work-item-state" }
attributes #3 = { "heddle-kernel"="small_type" "heddle-work-item-state" }
attributes #4 = { "heddle-kernel"="sum" "heddle-work-item-state" }
attributes #5 = { "heddle-kernel"="product" "heddle-work-item-state" }
attributes #6 = { "heddle-kernel"="both_values" "heddle-work-item-state" }
attributes #7 = { "heddle-kernel"="compared" "heddle-work-item-state" }
attributes #8 = { "heddle-kernel"="unknown" "heddle-work-item-state" }
attributes #9 = { "heddle-kernel"="too_large" "heddle-work-item-state" }
attributes #10 = { "heddle-kernel"="large_sum" "heddle-work-item-state" }
attributes #11 = { "heddle-kernel"="difference" "heddle-work-item-state" }
attributes #12 = { "heddle-kernel"="signed" "heddle-work-item-state" }
attributes #13 = { "heddle-kernel"="other_edge" "heddle-work-item-state" }
