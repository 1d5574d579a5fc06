; RUN: %heddle_opt --passes=fold-loops %s | FileCheck %s
; Loops whose results are formulas of their trip counts.
declare void @unknown()

; A counter that wraps around, in a loop that is not rotated.
; CHECK-LABEL: define i32 @counter(
; CHECK-NOT: loop:
; CHECK: shl i32 %n, 1
; CHECK-NOT: loop:
; CHECK: ret i32
define i32 @counter(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %on = icmp ult i32 %i, %n
  br i1 %on, label %body, label %end
body:
  %more = add i32 %sum, 2
  %next = add i32 %i, 1
  br label %loop
end:
  ret i32 %sum
}

; The sum of a triangle: two loops, of which the inner one has a trip count that depends on the outer one's.
; CHECK-LABEL: define i32 @triangle(
; CHECK-NOT: %j
; CHECK-NOT: %i =
; CHECK: ret i32
define i32 @triangle(i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %after ]
  %sum = phi i32 [ 0, %entry ], [ %s, %after ]
  %on = icmp ult i32 %i, %n
  br i1 %on, label %inner, label %end
inner:
  %j = phi i32 [ %i, %outer ], [ %j.next, %body ]
  %s = phi i32 [ %sum, %outer ], [ %s.next, %body ]
  %in = icmp ult i32 %j, %n
  br i1 %in, label %body, label %after
body:
  %s.next = add i32 %s, 3
  %j.next = add i32 %j, 1
  br label %inner
after:
  %i.next = add i32 %i, 1
  br label %outer
end:
  ret i32 %sum
}

; A selection and a load that are the same in all iterations.
; CHECK-LABEL: define i32 @invariant(
; CHECK-NOT: %next
; CHECK-DAG: select i1 %c, i32 2, i32 3
; CHECK-DAG: load i32, ptr addrspace(1) %p
; CHECK-NOT: %next
; CHECK: ret i32
define i32 @invariant(i32 %n, i1 %c, ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %b, %body ]
  %on = icmp ult i32 %i, %n
  br i1 %on, label %body, label %end
body:
  %step = select i1 %c, i32 2, i32 3
  %x = load i32, ptr addrspace(1) %p
  %a = add i32 %sum, %step
  %b = add i32 %a, %x
  %next = add i32 %i, 1
  br label %loop
end:
  ret i32 %sum
}

; A counter of 32 bits and a bound of 64, above which the loop does not end: it stays behind a check.
; CHECK-LABEL: define i32 @wide_bound(
; CHECK: icmp ugt i64 {{.*}}, 4294967295
; CHECK: br i1 {{.*}}, label %[[LOOP:.*]], label %folded
; CHECK: folded:
; CHECK: %loop
; CHECK: ret i32
define i32 @wide_bound(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %wide = zext i32 %i to i64
  %on = icmp ult i64 %wide, %n
  br i1 %on, label %body, label %end
body:
  %more = add i32 %sum, 2
  %next = add i32 %i, 1
  br label %loop
end:
  ret i32 %sum
}

; Loads that nothing needs.
; CHECK-LABEL: define i32 @unused_loads(
; CHECK-NOT: load
; CHECK: ret i32
define i32 @unused_loads(i32 %n, ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %on = icmp ult i32 %i, %n
  br i1 %on, label %body, label %end
body:
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %q
  %next = add i32 %i, 1
  br label %loop
end:
  ret i32 %i
}

; Sums of what is loaded, or of floats, are no formulas.
; CHECK-LABEL: define i32 @loaded(
; CHECK: body:
; CHECK: load i32
; CHECK: br label %loop
define i32 @loaded(i32 %n, ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %on = icmp ult i32 %i, %n
  br i1 %on, label %body, label %end
body:
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %q
  %more = add i32 %sum, %x
  %next = add i32 %i, 1
  br label %loop
end:
  ret i32 %sum
}

; CHECK-LABEL: define float @floats(
; CHECK: phi float
; CHECK: fadd float
define float @floats(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %on = icmp ult i32 %i, %n
  br i1 %on, label %body, label %end
body:
  %more = fadd float %sum, 2.0
  %next = add i32 %i, 1
  br label %loop
end:
  ret float %sum
}

; Volatile loads, stores and calls are effects.
; CHECK-LABEL: define i32 @volatile(
; CHECK: load volatile i32
; CHECK: br label %loop
define i32 @volatile(i32 %n, ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %on = icmp ult i32 %i, %n
  br i1 %on, label %body, label %end
body:
  %x = load volatile i32, ptr addrspace(1) %p
  %next = add i32 %i, 1
  br label %loop
end:
  ret i32 %i
}

; CHECK-LABEL: define i32 @calls(
; CHECK: call void @unknown()
; CHECK: br label %loop
define i32 @calls(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %on = icmp ult i32 %i, %n
  br i1 %on, label %body, label %end
body:
  call void @unknown()
  %next = add i32 %i, 1
  br label %loop
end:
  ret i32 %i
}

; A load behind a condition is not reached in each iteration, and may fault.
; CHECK-LABEL: define i32 @maybe_loads(
; CHECK: then:
; CHECK-NEXT: load i32
define i32 @maybe_loads(i32 %n, ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %then, label %latch
then:
  %x = load i32, ptr addrspace(1) %p
  br label %latch
latch:
  %step = phi i32 [ 1, %loop ], [ %x, %then ]
  %more = add i32 %sum, %step
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, %n
  br i1 %on, label %loop, label %end
end:
  ret i32 %more
}
