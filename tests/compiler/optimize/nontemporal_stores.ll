; REQUIRES: x86
; RUN: split-file %s %t
; RUN: %heddle_opt --passes=nontemporal-stores --cpu=x86-64-v4 %t/stream.ll | FileCheck %s
; RUN: %heddle_opt --passes=nontemporal-stores --cpu=x86-64-v2 %t/stream.ll | FileCheck %s --check-prefix=NONE
; RUN: %heddle_opt --passes=nontemporal-stores %t/others.ll | FileCheck %s --check-prefix=NONE

; Where a launch moves more than caches hold, which the number of work-items tells, whole lines are stored past them, if
; the address is that of a line.
; CHECK-LABEL: define void @stream.whole(
; CHECK: [[LAUNCH:%.*]] = load ptr, ptr %group
; CHECK: [[X_AT:%.*]] = getelementptr inbounds i8, ptr [[LAUNCH]], i64 24
; CHECK: load i64, ptr [[X_AT]]
; 48 MiB over the eight bytes that a work-item loads and stores.
; CHECK: [[EXCEEDS:%.*]] = icmp ugt i64 %{{.*}}, 6291456
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr addrspace(1) %to to i64
; CHECK: [[REST:%.*]] = and i64 [[ADDRESS]], 63
; CHECK: [[IS_LINE:%.*]] = icmp eq i64 [[REST]], 0
; CHECK: [[BOTH:%.*]] = and i1 [[EXCEEDS]], [[IS_LINE]]
; CHECK: br i1 [[BOTH]], label %[[PAST:.*]], label %[[PLAIN:[0-9]+]]
; CHECK: [[PAST]]:
; CHECK-NEXT: store <16 x i32> %v, ptr addrspace(1) %to, align 64, !nontemporal
; CHECK: [[PLAIN]]:
; CHECK-NEXT: store <16 x i32> %v, ptr addrspace(1) %to, align 4{{$}}
; NONE-NOT: !nontemporal
;--- stream.ll
define void @stream.body(ptr addrspace(1) %to, ptr addrspace(1) %from, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  ret void
}
define void @stream.whole(ptr addrspace(1) %to, ptr addrspace(1) %from, ptr %group, i64 %x, i64 %y, i64 %z) #1 {
  %v = load <16 x i32>, ptr addrspace(1) %from, align 4
  store <16 x i32> %v, ptr addrspace(1) %to, align 4
  ret void
}
attributes #0 = { "heddle-kernel"="stream" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="stream" "heddle-variant"="whole 16" "heddle-work-item-state" }

; Not what is loaded from as well, vectors of other sizes, local memory, a volatile store, a store in a loop, a kernel with
; atomics, a masked variant, or a function that is no variant.
;--- others.ll
define void @updates.body(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  ret void
}
define void @updates.whole(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #1 {
  %v = load <16 x i32>, ptr addrspace(1) %p, align 4
  store <16 x i32> %v, ptr addrspace(1) %p, align 4
  ret void
}
define void @short.body(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #2 {
  ret void
}
define void @short.whole(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #3 {
  store <8 x i32> zeroinitializer, ptr addrspace(1) %p, align 4
  ret void
}
define void @local.body(ptr addrspace(3) %p, ptr %group, i64 %x, i64 %y, i64 %z) #4 {
  ret void
}
define void @local.whole(ptr addrspace(3) %p, ptr %group, i64 %x, i64 %y, i64 %z) #5 {
  store <16 x i32> zeroinitializer, ptr addrspace(3) %p, align 4
  ret void
}
define void @volatile.body(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #6 {
  ret void
}
define void @volatile.whole(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #7 {
  store volatile <16 x i32> zeroinitializer, ptr addrspace(1) %p, align 4
  ret void
}
define void @loop.body(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #8 {
  ret void
}
define void @loop.whole(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #9 {
  br label %loop
loop:
  store <16 x i32> zeroinitializer, ptr addrspace(1) %p, align 4
  %more = icmp eq i64 %x, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @atomic.body(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #10 {
  ret void
}
define void @atomic.whole(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #11 {
  store <16 x i32> zeroinitializer, ptr addrspace(1) %p, align 4
  fence seq_cst
  ret void
}
define void @masked.body(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #12 {
  ret void
}
define void @masked.tail(ptr addrspace(1) %p, i64 %n, ptr %group, i64 %x, i64 %y, i64 %z) #13 {
  store <16 x i32> zeroinitializer, ptr addrspace(1) %p, align 4
  ret void
}
define void @other(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) {
  store <16 x i32> zeroinitializer, ptr addrspace(1) %p, align 4
  ret void
}
attributes #0 = { "heddle-kernel"="updates" }
attributes #1 = { "heddle-kernel"="updates" "heddle-variant"="whole 16" }
attributes #2 = { "heddle-kernel"="short" }
attributes #3 = { "heddle-kernel"="short" "heddle-variant"="whole 8" }
attributes #4 = { "heddle-kernel"="local" }
attributes #5 = { "heddle-kernel"="local" "heddle-variant"="whole 16" }
attributes #6 = { "heddle-kernel"="volatile" }
attributes #7 = { "heddle-kernel"="volatile" "heddle-variant"="whole 16" }
attributes #8 = { "heddle-kernel"="loop" }
attributes #9 = { "heddle-kernel"="loop" "heddle-variant"="whole 16" }
attributes #10 = { "heddle-kernel"="atomic" }
attributes #11 = { "heddle-kernel"="atomic" "heddle-variant"="whole 16" }
attributes #12 = { "heddle-kernel"="masked" }
attributes #13 = { "heddle-kernel"="masked" "heddle-variant"="tail 16" }
