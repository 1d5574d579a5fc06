; RUN: %heddle_opt --passes=mark-polling-loops %s | FileCheck %s
; Loops that wait, and others that look alike.

; One bit of a word: the exchange expects another value than was read, so it fails until the bit is cleared.
; CHECK-LABEL: define void @bit.body(
; CHECK: call void @heddle.yield()
define void @bit.body(ptr addrspace(1) noalias %word, ptr noalias %group, i64 %x, i64 %y, i64 %z) #0 {
  br label %loop
loop:
  %seen = load volatile i32, ptr addrspace(1) %word, align 4
  %expected = and i32 %seen, -2
  %next = or i32 %seen, 1
  %pair = cmpxchg volatile ptr addrspace(1) %word, i32 %expected, i32 %next monotonic monotonic, align 4
  %success = extractvalue { i32, i1 } %pair, 1
  br i1 %success, label %done, label %loop
done:
  ret void
}

; Who is not the first one takes the count back.
; CHECK-LABEL: define void @count.body(
; CHECK: call void @heddle.yield()
define void @count.body(ptr addrspace(1) noalias %word, ptr noalias %group, i64 %x, i64 %y, i64 %z) #1 {
  br label %loop
loop:
  %before = atomicrmw volatile add ptr addrspace(1) %word, i32 1 monotonic, align 4
  %first = icmp eq i32 %before, 0
  br i1 %first, label %done, label %again
again:
  %undone = atomicrmw volatile sub ptr addrspace(1) %word, i32 1 monotonic, align 4
  br label %loop
done:
  ret void
}

; An update made of exchanges does not wait, the loop around it does.
; CHECK-LABEL: define void @emulated.body(
; CHECK: update:
; CHECK-NOT: heddle.yield
; CHECK: updated:
; CHECK: call void @heddle.yield()
define void @emulated.body(ptr addrspace(1) noalias %word, ptr noalias %group, i64 %x, i64 %y, i64 %z) #2 {
  br label %loop
loop:
  %first = load i32, ptr addrspace(1) %word, align 4
  br label %update
update:
  %expected = phi i32 [ %first, %loop ], [ %seen, %update ]
  %next = or i32 %expected, 4
  %pair = cmpxchg ptr addrspace(1) %word, i32 %expected, i32 %next monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %success = extractvalue { i32, i1 } %pair, 1
  br i1 %success, label %updated, label %update
updated:
  %bit = and i32 %expected, 4
  %free = icmp eq i32 %bit, 0
  br i1 %free, label %done, label %loop
done:
  ret void
}

; An exchange that succeeds although the lock is taken.
; CHECK-LABEL: define void @always.body(
; CHECK: call void @heddle.yield()
define void @always.body(ptr addrspace(1) noalias %word, ptr noalias %group, i64 %x, i64 %y, i64 %z) #3 {
  br label %loop
loop:
  %seen = load atomic i32, ptr addrspace(1) %word monotonic, align 4
  %pair = cmpxchg ptr addrspace(1) %word, i32 %seen, i32 1 monotonic monotonic, align 4
  %success = extractvalue { i32, i1 } %pair, 1
  %free = icmp eq i32 %seen, 0
  %taken = and i1 %success, %free
  br i1 %taken, label %done, label %loop
done:
  ret void
}

; An addition of floats, and a queue of work.
; CHECK-LABEL: define void @runs.body(
; CHECK-NOT: heddle.yield
; CHECK: ret void
define void @runs.body(ptr addrspace(1) noalias %word, ptr addrspace(1) noalias %next, ptr noalias %group, i64 %x, i64 %y, i64 %z) #4 {
  %first = load i32, ptr addrspace(1) %word, align 4
  br label %update
update:
  %old = phi i32 [ %first, %0 ], [ %seen, %update ]
  %number = bitcast i32 %old to float
  %sum = fadd float %number, 1.0
  %bits = bitcast float %sum to i32
  %pair = cmpxchg volatile ptr addrspace(1) %word, i32 %old, i32 %bits monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %failed = icmp ne i32 %seen, %old
  br i1 %failed, label %update, label %queue
queue:
  %item = atomicrmw volatile add ptr addrspace(1) %next, i32 1 monotonic, align 4
  %more = icmp ult i32 %item, 100
  br i1 %more, label %queue, label %done
done:
  ret void
}

; An index that stays while a flag is not set.
; CHECK-LABEL: define void @flags.body(
; CHECK: call void @heddle.yield()
define void @flags.body(ptr addrspace(1) noalias %flags, i64 %count, ptr noalias %group, i64 %x, i64 %y, i64 %z) #5 {
  br label %loop
loop:
  %at = phi i64 [ 0, %0 ], [ %next, %set ], [ %at, %body ]
  %more = icmp ult i64 %at, %count
  br i1 %more, label %body, label %done
body:
  %address = getelementptr i32, ptr addrspace(1) %flags, i64 %at
  %flag = load atomic i32, ptr addrspace(1) %address acquire, align 4
  %is_set = icmp ne i32 %flag, 0
  br i1 %is_set, label %set, label %loop
set:
  %next = add i64 %at, 1
  br label %loop
done:
  ret void
}

; One flag or the other.
; CHECK-LABEL: define void @either.body(
; CHECK: call void @heddle.yield()
define void @either.body(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr noalias %group, i64 %x, i64 %y, i64 %z) #7 {
  br label %loop
loop:
  %first = phi i1 [ true, %0 ], [ %second, %loop ]
  %address = select i1 %first, ptr addrspace(1) %a, ptr addrspace(1) %b
  %flag = load atomic i32, ptr addrspace(1) %address acquire, align 4
  %second = xor i1 %first, true
  %is_set = icmp ne i32 %flag, 0
  br i1 %is_set, label %done, label %loop
done:
  ret void
}

; An index that comes to the same places again, where another work-item may have written meanwhile.
; CHECK-LABEL: define void @table.body(
; CHECK: call void @heddle.yield()
define void @table.body(ptr addrspace(1) noalias %keys, i64 %first, ptr noalias %group, i64 %x, i64 %y, i64 %z) #6 {
  br label %loop
loop:
  %at = phi i64 [ %first, %0 ], [ %wrapped, %loop ]
  %address = getelementptr i32, ptr addrspace(1) %keys, i64 %at
  %key = load atomic i32, ptr addrspace(1) %address acquire, align 4
  %next = add i64 %at, 1
  %wrapped = and i64 %next, 255
  %empty = icmp eq i32 %key, 0
  br i1 %empty, label %done, label %loop
done:
  ret void
}

; A counter of which only a part is in the index: bits, or what a division leaves. Another one that is all in it.
; CHECK-LABEL: define void @bits.body(
; CHECK: call void @heddle.yield()
define void @bits.body(ptr addrspace(1) noalias %flags, i32 %count, ptr noalias %group, i64 %x, i64 %y, i64 %z) #8 {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %index = and i32 %i, 7
  %wide = zext i32 %index to i64
  %address = getelementptr i32, ptr addrspace(1) %flags, i64 %wide
  %flag = load atomic i32, ptr addrspace(1) %address acquire, align 4
  %next = add i32 %i, 1
  %is_set = icmp ne i32 %flag, 0
  br i1 %is_set, label %done, label %loop
done:
  ret void
}

; CHECK-LABEL: define void @rest.body(
; CHECK: call void @heddle.yield()
define void @rest.body(ptr addrspace(1) noalias %flags, i32 %count, ptr noalias %group, i64 %x, i64 %y, i64 %z) #9 {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %index = urem i32 %i, %count
  %wide = zext i32 %index to i64
  %address = getelementptr i32, ptr addrspace(1) %flags, i64 %wide
  %flag = load atomic i32, ptr addrspace(1) %address acquire, align 4
  %next = add i32 %i, 1
  %is_set = icmp ne i32 %flag, 0
  br i1 %is_set, label %done, label %loop
done:
  ret void
}

; CHECK-LABEL: define void @further.body(
; CHECK-NOT: heddle.yield
; CHECK: ret void
define void @further.body(ptr addrspace(1) noalias %flags, i32 %count, ptr noalias %group, i64 %x, i64 %y, i64 %z) #10 {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %twice = shl i32 %i, 1
  %index = add i32 %twice, %count
  %wide = zext i32 %index to i64
  %address = getelementptr i32, ptr addrspace(1) %flags, i64 %wide
  %flag = load atomic i32, ptr addrspace(1) %address acquire, align 4
  %next = add i32 %i, 1
  %is_set = icmp ne i32 %flag, 0
  br i1 %is_set, label %done, label %loop
done:
  ret void
}

attributes #0 = { "heddle-kernel"="bit" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="count" "heddle-work-item-state" }
attributes #2 = { "heddle-kernel"="emulated" "heddle-work-item-state" }
attributes #3 = { "heddle-kernel"="always" "heddle-work-item-state" }
attributes #4 = { "heddle-kernel"="runs" "heddle-work-item-state" }
attributes #5 = { "heddle-kernel"="flags" "heddle-work-item-state" }
attributes #6 = { "heddle-kernel"="table" "heddle-work-item-state" }
attributes #7 = { "heddle-kernel"="either" "heddle-work-item-state" }
attributes #8 = { "heddle-kernel"="bits" "heddle-work-item-state" }
attributes #9 = { "heddle-kernel"="rest" "heddle-work-item-state" }
attributes #10 = { "heddle-kernel"="further" "heddle-work-item-state" }
