; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize)' --width=8 %s | FileCheck %s
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize)' --width=1 %s | FileCheck %s --check-prefix=SCALAR
; The body of a kernel that is vectorized gets the form that the other passes require.
; One return.
; CHECK-LABEL: define void @returns.body(
; CHECK: early:
; CHECK-NEXT: br label %return
; CHECK: late:
; CHECK-NEXT: store
; CHECK-NEXT: br label %return
; CHECK: return:
; CHECK-NEXT: ret void
; A kernel that stays scalar is left alone.
; SCALAR-LABEL: define void @returns.body(
; SCALAR: early:
; SCALAR-NEXT: ret void
; SCALAR: late:
; SCALAR-NEXT: store
; SCALAR-NEXT: ret void
define void @returns.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
entry:
  %few = icmp ult i32 %n, 3
  br i1 %few, label %early, label %late
early:
  ret void
late:
  store i32 %n, ptr addrspace(1) %a
  ret void
}

; Other lanes may not reach what is unreachable.
; CHECK-LABEL: define void @trap.body(
; CHECK: never:
; CHECK-NEXT: br label %return
; CHECK-NOT: unreachable
; CHECK: ret void
; SCALAR-LABEL: define void @trap.body(
; SCALAR: unreachable
define void @trap.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #1 {
entry:
  %few = icmp ult i32 %n, 3
  br i1 %few, label %never, label %late
never:
  unreachable
late:
  store i32 %n, ptr addrspace(1) %a
  ret void
}

; No switch.
; CHECK-LABEL: define void @cases.body(
; CHECK-NOT: switch
; CHECK: icmp eq i32 %n, 5
; CHECK-NOT: switch
; CHECK: icmp eq i32 %n, 1
; CHECK-NOT: switch
; CHECK: ret void
; SCALAR-LABEL: define void @cases.body(
; SCALAR: switch i32 %n
define void @cases.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #2 {
entry:
  switch i32 %n, label %done [ i32 1, label %one
                               i32 5, label %five ]
one:
  store i32 10, ptr addrspace(1) %a
  br label %done
five:
  store i32 50, ptr addrspace(1) %a
  br label %done
done:
  ret void
}

; Values that are used after a loop have phis there.
; CHECK-LABEL: define void @live_out.body(
; CHECK: done:
; CHECK-NEXT: %next.lcssa = phi i32 [ %next, %loop ]
; CHECK-NEXT: store i32 %next.lcssa
; SCALAR-LABEL: define void @live_out.body(
; SCALAR: store i32 %next,
define void @live_out.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #3 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store i32 %next, ptr addrspace(1) %a
  ret void
}

; Index arithmetic is hoisted out of loops, but for divisions, which may be expensive and conditional.
; CHECK-LABEL: define void @invariant.body(
; CHECK: entry:
; CHECK-NEXT: %row = mul i64 %local_x, %n
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK: %quotient = udiv i64
define void @invariant.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #4 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul i64 %local_x, %n
  %quotient = udiv i64 %local_x, %n
  %index = add i64 %row, %i
  %p = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %index
  store i64 %quotient, ptr addrspace(1) %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Lanes cannot address bits.
; CHECK-LABEL: define void @bits.body(
; CHECK: [[BYTE:%.*]] = load i8, ptr addrspace(1) %p
; CHECK: trunc i8 [[BYTE]] to i4
; CHECK: store i8 %{{.*}}, ptr addrspace(1) %q
define void @bits.body(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #5 {
  %p = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %local_x
  %v = load <4 x i1>, ptr addrspace(1) %p
  %q = getelementptr inbounds i8, ptr addrspace(1) %b, i64 %local_x
  store <4 x i1> %v, ptr addrspace(1) %q
  ret void
}

; A byval parameter that is written is copied to a private variable, since all work-items share it, and interleaved.
; CHECK-LABEL: define void @written.body(
; CHECK: [[COPY:%record.+]] = alloca [4 x i32], align 4, !heddle.interleaved
; CHECK: store i32 %{{.*}}, ptr [[COPY]]
; CHECK-COUNT-3: store i32 %
; CHECK: [[SECOND:%.*]] = getelementptr i8, ptr [[COPY]], i64 32
; CHECK-NEXT: store i32 7, ptr [[SECOND]]
; CHECK: %v = load i32, ptr [[COPY]]
define void @written.body(ptr addrspace(1) %a, ptr byval([4 x i32]) align 4 %record, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #6 {
  %p = getelementptr inbounds i32, ptr %record, i64 1
  store i32 7, ptr %p
  %v = load i32, ptr %record
  store i32 %v, ptr addrspace(1) %a
  ret void
}

; Not one that is only read.
; CHECK-LABEL: define void @only_read.body(
; CHECK-NEXT: %v = load i32, ptr %record
; CHECK-NOT: alloca
; CHECK: ret void
define void @only_read.body(ptr addrspace(1) %a, ptr byval([4 x i32]) align 4 %record, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #7 {
  %v = load i32, ptr %record
  store i32 %v, ptr addrspace(1) %a
  ret void
}

; An index may count bytes, if it is known to be a multiple of the element's size.
; CHECK-LABEL: define void @counts_bytes.body(
; CHECK: %array = alloca [16 x i32], align 4, !heddle.interleaved
; CHECK: %scattered = alloca [16 x i32], align 4{{$}}
define void @counts_bytes.body(ptr addrspace(1) %a, i64 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #8 {
entry:
  %array = alloca [16 x i32], align 4
  %scattered = alloca [16 x i32], align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %j = phi i64 [ 0, %entry ], [ %further, %loop ]
  %p = getelementptr i8, ptr %array, i64 %i
  store i32 7, ptr %p
  %q = getelementptr i8, ptr %scattered, i64 %j
  store i32 7, ptr %q
  %next = add i64 %i, 4
  %further = add i64 %j, %n
  %again = icmp ne i64 %next, 64
  br i1 %again, label %loop, label %end
end:
  %back = getelementptr i32, ptr %array, i64 %n
  %v = load i32, ptr %back
  %w = load i32, ptr %scattered
  %sum = add i32 %v, %w
  store i32 %sum, ptr addrspace(1) %a
  ret void
}

attributes #0 = { "heddle-kernel"="returns" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="trap" "heddle-work-item-state" }
attributes #2 = { "heddle-kernel"="cases" "heddle-work-item-state" }
attributes #3 = { "heddle-kernel"="live_out" "heddle-work-item-state" }
attributes #4 = { "heddle-kernel"="invariant" "heddle-work-item-state" }
attributes #5 = { "heddle-kernel"="bits" "heddle-work-item-state" }
attributes #6 = { "heddle-kernel"="written" "heddle-work-item-state" }
attributes #7 = { "heddle-kernel"="only_read" "heddle-work-item-state" }
attributes #8 = { "heddle-kernel"="counts_bytes" "heddle-work-item-state" }
