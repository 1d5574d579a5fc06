; RUN: split-file %s %t
; RUN: %heddle_opt --passes=collect-program-scope %t/variables.ll | FileCheck %s --check-prefix=COLLECT
; RUN: %heddle_opt --passes=collect-program-scope,lower-program-scope %t/variables.ll | FileCheck %s
; RUN: not %heddle_opt --passes=collect-program-scope,lower-program-scope %t/not_constant.ll 2>&1 | FileCheck %s --check-prefix=ERROR

; Global variables, and constants whose initializer contains the address of one, are in the program's block.
; COLLECT: @counter = addrspace(1) global i32 7, align 4 #[[AT0:[0-9]+]]
; COLLECT: @large = addrspace(1) global [4 x i64] zeroinitializer, align 32 #[[AT32:[0-9]+]]
; COLLECT: @pointer = addrspace(2) constant ptr addrspace(1) @counter #[[AT64:[0-9]+]]
; COLLECT: @refers = addrspace(1) global ptr addrspace(2) @referred #[[AT72:[0-9]+]]
; COLLECT: @referred = addrspace(2) constant i32 1 #[[AT80:[0-9]+]]
; COLLECT: @table = addrspace(2) constant [2 x i32] [i32 1, i32 2]{{$}}
; COLLECT: @declared = external addrspace(1) global i32{{$}}
; COLLECT: attributes #[[AT0]] = { "heddle-program-scope"="0" }
; COLLECT: attributes #[[AT32]] = { "heddle-program-scope"="32" }
; COLLECT: attributes #[[AT64]] = { "heddle-program-scope"="64" }
; COLLECT: attributes #[[AT72]] = { "heddle-program-scope"="72" }
; COLLECT: attributes #[[AT80]] = { "heddle-program-scope"="80" }

; Aligned as each of them needs.
; CHECK-NOT: addrspace(1) global i32 7
; CHECK-NOT: @pointer
; CHECK: @table = addrspace(2) constant [2 x i32] [i32 1, i32 2]
; CHECK-LABEL: define void @accesses(
; CHECK: [[LAUNCH:%.*]] = load ptr, ptr %group, align 8
; CHECK-NEXT: [[BLOCK_AT:%.*]] = getelementptr inbounds i8, ptr [[LAUNCH]], i64 8
; CHECK-NEXT: [[BLOCK:%.*]] = load ptr addrspace(2), ptr [[BLOCK_AT]], align 8, !invariant.load
; CHECK-NEXT: %pointer = getelementptr inbounds i8, ptr addrspace(2) [[BLOCK]], i64 64
; CHECK: %large = getelementptr inbounds i8, ptr addrspace(1) %{{.*}}, i64 32
; CHECK: %counter = load ptr addrspace(1), ptr %{{.*}}, align 8, !invariant.load
; CHECK: store i32 1, ptr addrspace(1) %counter
; CHECK-NEXT: store i32 2, ptr addrspace(1) %large
; CHECK-NEXT: load ptr addrspace(1), ptr addrspace(2) %pointer
; CHECK-NEXT: load i32, ptr addrspace(2) @table
; CHECK-NEXT: ret void
;--- variables.ll
@counter = addrspace(1) global i32 7, align 4
@large = addrspace(1) global [4 x i64] zeroinitializer, align 32
@pointer = addrspace(2) constant ptr addrspace(1) @counter
@refers = addrspace(1) global ptr addrspace(2) @referred
@referred = addrspace(2) constant i32 1
@table = addrspace(2) constant [2 x i32] [i32 1, i32 2]
@declared = external addrspace(1) global i32
define void @accesses(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  store i32 1, ptr addrspace(1) @counter
  store i32 2, ptr addrspace(1) @large
  %p = load ptr addrspace(1), ptr addrspace(2) @pointer
  %t = load i32, ptr addrspace(2) @table
  ret void
}

; ERROR: error: the initializer of 'difference' cannot be evaluated when the program is built
;--- not_constant.ll
@a = addrspace(1) global i32 1
@difference = addrspace(1) global i64 sub (i64 ptrtoint (ptr addrspace(1) @a to i64), i64 ptrtoint (ptr addrspace(1) @difference to i64))
