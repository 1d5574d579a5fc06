; RUN: %heddle_opt --passes='function(early-cse<memssa>)' %s | FileCheck %s
; Local, global and private memory do not overlap: a load is not repeated after a store to another one.

; CHECK-LABEL: define i32 @global_and_local(
; CHECK: %a = load i32
; CHECK-NOT: load
; CHECK: add i32 %a, %a
define i32 @global_and_local(ptr addrspace(1) %p, ptr addrspace(3) %q) {
  %a = load i32, ptr addrspace(1) %p
  store i32 1, ptr addrspace(3) %q
  %b = load i32, ptr addrspace(1) %p
  %sum = add i32 %a, %b
  ret i32 %sum
}
; CHECK-LABEL: define i32 @private_and_global(
; CHECK: %a = load i32
; CHECK-NOT: load
; CHECK: add i32 %a, %a
define i32 @private_and_global(ptr %p, ptr addrspace(1) %q) {
  %a = load i32, ptr %p
  store i32 1, ptr addrspace(1) %q
  %b = load i32, ptr %p
  %sum = add i32 %a, %b
  ret i32 %sum
}

; Pointers to global and to constant memory may point into the same buffer,
; CHECK-LABEL: define i32 @constant_and_global(
; CHECK: %a = load i32
; CHECK: %b = load i32
define i32 @constant_and_global(ptr addrspace(2) %p, ptr addrspace(1) %q) {
  %a = load i32, ptr addrspace(2) %p
  store i32 1, ptr addrspace(1) %q
  %b = load i32, ptr addrspace(2) %p
  %sum = add i32 %a, %b
  ret i32 %sum
}
; generic pointers anywhere,
; CHECK-LABEL: define i32 @generic(
; CHECK: %a = load i32
; CHECK: %b = load i32
define i32 @generic(ptr addrspace(1) %p, ptr addrspace(4) %q) {
  %a = load i32, ptr addrspace(1) %p
  store i32 1, ptr addrspace(4) %q
  %b = load i32, ptr addrspace(1) %p
  %sum = add i32 %a, %b
  ret i32 %sum
}
; and two of one address space to one place.
; CHECK-LABEL: define i32 @both_global(
; CHECK: %a = load i32
; CHECK: %b = load i32
define i32 @both_global(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = load i32, ptr addrspace(1) %p
  store i32 1, ptr addrspace(1) %q
  %b = load i32, ptr addrspace(1) %p
  %sum = add i32 %a, %b
  ret i32 %sum
}
