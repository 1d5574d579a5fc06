; RUN: %heddle_opt --passes=elide-local-copies %s | FileCheck %s
; Copies from an argument to a local buffer that nothing else fills.
declare void @heddle.barrier() #0
declare i1 @__heddle_sub_group_is_leader()
declare void @__heddle_call_once_copy_bytes(ptr addrspace(4), ptr addrspace(4), i64)
declare ptr addrspace(3) @heddle.local_variable(ptr, i64, i64) #1

; The buffer is read from the source, unless arguments overlap or the source is not aligned as the buffer is.
; CHECK-LABEL: define void @copies.body(
; CHECK: [[OVERLAP_AT:%.*]] = getelementptr inbounds i8, ptr %{{.*}}, i64 144
; CHECK: [[OVERLAP:%.*]] = load i64, ptr [[OVERLAP_AT]]
; CHECK: [[MAY:%.*]] = icmp eq i64 [[OVERLAP]], 0
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr addrspace(1) %in to i64
; CHECK: [[REST:%.*]] = and i64 [[ADDRESS]], 63
; CHECK: [[IS_LINE:%.*]] = icmp eq i64 [[REST]], 0
; CHECK: [[ELIDED:%.*]] = and i1 [[MAY]], [[IS_LINE]]
; CHECK: [[SOURCE:%.*]] = select i1 [[ELIDED]], ptr addrspace(4) %from, ptr addrspace(4) %to
; CHECK: call void @__heddle_call_once_copy_unless_elided(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024, i1 [[ELIDED]], ptr addrspace(3) null, i64 0)
; CHECK: load float, ptr addrspace(4)
define void @copies.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #2 {
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

; Not if the kernel writes the source,
; CHECK-LABEL: define void @writes_source.body(
; CHECK-NOT: unless_elided
; CHECK: load float, ptr addrspace(3)
define void @writes_source.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #3 {
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
  store float 1.0, ptr addrspace(1) %in
  ret void
}

; or the buffer,
; CHECK-LABEL: define void @writes_buffer.body(
; CHECK-NOT: unless_elided
; CHECK: load float, ptr addrspace(3)
define void @writes_buffer.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #4 {
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
  store float 1.0, ptr addrspace(3) %tile
  ret void
}

; synchronizes with others,
; CHECK-LABEL: define void @atomic.body(
; CHECK-NOT: unless_elided
; CHECK: load float, ptr addrspace(3)
define void @atomic.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #5 {
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
  fence seq_cst
  ret void
}

; reads volatile memory,
; CHECK-LABEL: define void @volatile.body(
; CHECK-NOT: unless_elided
; CHECK: load volatile float, ptr addrspace(3)
define void @volatile.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #6 {
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
  %value = load volatile float, ptr addrspace(3) %tile
  store float %value, ptr addrspace(1) %out
  ret void
}

; copies an unknown number of bytes,
; CHECK-LABEL: define void @unknown_size.body(
; CHECK-NOT: unless_elided
; CHECK: load float, ptr addrspace(3)
define void @unknown_size.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #7 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 %n)
  br label %done
done:
  call void @heddle.barrier()
  %index = and i64 %n, 255
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

; or less than it reads.
; CHECK-LABEL: define void @short.body(
; CHECK-NOT: unless_elided
; CHECK: load float, ptr addrspace(3)
define void @short.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #8 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  br label %ready
ready:
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %done
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1020)
  br label %done
done:
  call void @heddle.barrier()
  %index = and i64 %n, 255
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %index
  %value = load float, ptr addrspace(3) %at
  store float %value, ptr addrspace(1) %out
  ret void
}

attributes #0 = { convergent noduplicate nounwind }
attributes #1 = { nounwind speculatable willreturn memory(none) }
attributes #2 = { "heddle-kernel"="copies" "heddle-work-item-state" }
attributes #3 = { "heddle-kernel"="writes_source" "heddle-work-item-state" }
attributes #4 = { "heddle-kernel"="writes_buffer" "heddle-work-item-state" }
attributes #5 = { "heddle-kernel"="atomic" "heddle-work-item-state" }
attributes #6 = { "heddle-kernel"="volatile" "heddle-work-item-state" }
attributes #7 = { "heddle-kernel"="unknown_size" "heddle-work-item-state" }
attributes #8 = { "heddle-kernel"="short" "heddle-work-item-state" }
