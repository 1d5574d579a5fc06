; RUN: %heddle_opt --passes=elide-local-copies %s | FileCheck %s
; The source of an elided copy is in a register if all work-items know whether it was made; else in local memory.
declare void @heddle.barrier() #0
declare i1 @__heddle_sub_group_is_leader()
declare void @__heddle_call_once_copy_bytes(ptr addrspace(4), ptr addrspace(4), i64)
declare ptr addrspace(3) @heddle.local_variable(ptr, i64, i64) #1

; Arguments of the kernel are the same for all work-items.
; CHECK-LABEL: define void @argument.body(
; CHECK: call void @__heddle_call_once_copy_unless_elided({{.*}}, ptr addrspace(3) null, i64 0)
define void @argument.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #2 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  %c = icmp eq i64 %n, 0
  br i1 %c, label %ready, label %done
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

; So is what is loaded from the group.
; CHECK-LABEL: define void @group_size.body(
; CHECK: call void @__heddle_call_once_copy_unless_elided({{.*}}, ptr addrspace(3) null, i64 0)
define void @group_size.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #3 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  %size_at = getelementptr inbounds i8, ptr %group, i64 48
  %size = load i64, ptr %size_at
  %c = icmp eq i64 %size, 64
  br i1 %c, label %ready, label %done
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

; Ids are not,
; CHECK-LABEL: define void @local_id.body(
; CHECK: call void @__heddle_call_once_copy_unless_elided({{.*}}, ptr addrspace(3) %{{.*}}, i64 %{{.*}})
define void @local_id.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #4 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  %c = icmp eq i64 %x, 0
  br i1 %c, label %ready, label %done
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

; nor what is computed of them,
; CHECK-LABEL: define void @computed.body(
; CHECK: call void @__heddle_call_once_copy_unless_elided({{.*}}, ptr addrspace(3) %{{.*}}, i64 %{{.*}})
define void @computed.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #5 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  %sum = add i64 %n, %y
  %c = icmp ult i64 %sum, 5
  br i1 %c, label %ready, label %done
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

; nor what other work-items may have written meanwhile,
; CHECK-LABEL: define void @loaded.body(
; CHECK: call void @__heddle_call_once_copy_unless_elided({{.*}}, ptr addrspace(3) %{{.*}}, i64 %{{.*}})
define void @loaded.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #6 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  %v = load i32, ptr addrspace(1) %out
  %c = icmp eq i32 %v, 0
  br i1 %c, label %ready, label %done
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

; nor a value that a divergent branch selects.
; CHECK-LABEL: define void @selected.body(
; CHECK: call void @__heddle_call_once_copy_unless_elided({{.*}}, ptr addrspace(3) %{{.*}}, i64 %{{.*}})
define void @selected.body(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m, ptr %group, i64 %x, i64 %y, i64 %z) #7 {
entry:
  %tile = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 1024)
  %to = addrspacecast ptr addrspace(3) %tile to ptr addrspace(4)
  %from = addrspacecast ptr addrspace(1) %in to ptr addrspace(4)
  %d = icmp eq i64 %x, 0
  br i1 %d, label %one, label %two
one:
  br label %join
two:
  br label %join
join:
  %c = phi i1 [ true, %one ], [ false, %two ]
  br i1 %c, label %ready, label %done
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

attributes #0 = { convergent noduplicate nounwind }
attributes #1 = { nounwind speculatable willreturn memory(none) }
attributes #2 = { "heddle-kernel"="argument" "heddle-work-item-state" }
attributes #3 = { "heddle-kernel"="group_size" "heddle-work-item-state" }
attributes #4 = { "heddle-kernel"="local_id" "heddle-work-item-state" }
attributes #5 = { "heddle-kernel"="computed" "heddle-work-item-state" }
attributes #6 = { "heddle-kernel"="loaded" "heddle-work-item-state" }
attributes #7 = { "heddle-kernel"="selected" "heddle-work-item-state" }
