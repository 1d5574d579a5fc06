; RUN: %heddle_opt --passes=shuffle-overlapping-loads %s | FileCheck %s
; Of overlapping loads of registers, one element after the other, every second one is a rotation of the first and the last,
; all of which code generation does with integers.

; CHECK-LABEL: define void @run(
; CHECK: [[A:%.*]] = load <16 x i32>, ptr addrspace(1) %{{.*}}, align 4
; CHECK-COUNT-4: load <16 x i32>, ptr addrspace(1) %{{.*}}, align 4
; CHECK-NOT: load
; CHECK: shufflevector <16 x i32> [[A]], <16 x i32> %{{.*}}, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24>
; CHECK-COUNT-3: shufflevector <16 x i32> [[A]], <16 x i32> %{{.*}}, <16 x i32>
; CHECK-NOT: shufflevector
; CHECK: bitcast <16 x i32> [[A]] to <16 x float>
; CHECK: ret void
define void @run(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %a0 = getelementptr float, ptr addrspace(1) %p, i64 0
  %v0 = load <16 x float>, ptr addrspace(1) %a0, align 4
  %a1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load <16 x float>, ptr addrspace(1) %a1, align 4
  %a2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %v2 = load <16 x float>, ptr addrspace(1) %a2, align 4
  %a3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %v3 = load <16 x float>, ptr addrspace(1) %a3, align 4
  %a4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %v4 = load <16 x float>, ptr addrspace(1) %a4, align 4
  %a5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %v5 = load <16 x float>, ptr addrspace(1) %a5, align 4
  %a6 = getelementptr float, ptr addrspace(1) %p, i64 6
  %v6 = load <16 x float>, ptr addrspace(1) %a6, align 4
  %a7 = getelementptr float, ptr addrspace(1) %p, i64 7
  %v7 = load <16 x float>, ptr addrspace(1) %a7, align 4
  %a8 = getelementptr float, ptr addrspace(1) %p, i64 8
  %v8 = load <16 x float>, ptr addrspace(1) %a8, align 4
  store <16 x float> %v0, ptr addrspace(1) %out
  store <16 x float> %v1, ptr addrspace(1) %out
  store <16 x float> %v2, ptr addrspace(1) %out
  store <16 x float> %v3, ptr addrspace(1) %out
  store <16 x float> %v4, ptr addrspace(1) %out
  store <16 x float> %v5, ptr addrspace(1) %out
  store <16 x float> %v6, ptr addrspace(1) %out
  store <16 x float> %v7, ptr addrspace(1) %out
  store <16 x float> %v8, ptr addrspace(1) %out
  ret void
}

; Few loads are faster than shuffles.
; CHECK-LABEL: define void @few(
; CHECK-NOT: shufflevector
; CHECK: ret void
define void @few(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %a0 = getelementptr float, ptr addrspace(1) %p, i64 0
  %v0 = load <16 x float>, ptr addrspace(1) %a0, align 4
  %a1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load <16 x float>, ptr addrspace(1) %a1, align 4
  %a2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %v2 = load <16 x float>, ptr addrspace(1) %a2, align 4
  %a3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %v3 = load <16 x float>, ptr addrspace(1) %a3, align 4
  %a4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %v4 = load <16 x float>, ptr addrspace(1) %a4, align 4
  %a5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %v5 = load <16 x float>, ptr addrspace(1) %a5, align 4
  %a6 = getelementptr float, ptr addrspace(1) %p, i64 6
  %v6 = load <16 x float>, ptr addrspace(1) %a6, align 4
  %a7 = getelementptr float, ptr addrspace(1) %p, i64 7
  %v7 = load <16 x float>, ptr addrspace(1) %a7, align 4
  store <16 x float> %v0, ptr addrspace(1) %out
  store <16 x float> %v1, ptr addrspace(1) %out
  store <16 x float> %v2, ptr addrspace(1) %out
  store <16 x float> %v3, ptr addrspace(1) %out
  store <16 x float> %v4, ptr addrspace(1) %out
  store <16 x float> %v5, ptr addrspace(1) %out
  store <16 x float> %v6, ptr addrspace(1) %out
  store <16 x float> %v7, ptr addrspace(1) %out
  ret void
}

; Loads that do not overlap are all needed.
; CHECK-LABEL: define void @apart(
; CHECK-NOT: shufflevector
; CHECK: ret void
define void @apart(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %a0 = getelementptr float, ptr addrspace(1) %p, i64 0
  %v0 = load <16 x float>, ptr addrspace(1) %a0, align 4
  %a1 = getelementptr float, ptr addrspace(1) %p, i64 32
  %v1 = load <16 x float>, ptr addrspace(1) %a1, align 4
  %a2 = getelementptr float, ptr addrspace(1) %p, i64 64
  %v2 = load <16 x float>, ptr addrspace(1) %a2, align 4
  %a3 = getelementptr float, ptr addrspace(1) %p, i64 96
  %v3 = load <16 x float>, ptr addrspace(1) %a3, align 4
  %a4 = getelementptr float, ptr addrspace(1) %p, i64 128
  %v4 = load <16 x float>, ptr addrspace(1) %a4, align 4
  %a5 = getelementptr float, ptr addrspace(1) %p, i64 160
  %v5 = load <16 x float>, ptr addrspace(1) %a5, align 4
  %a6 = getelementptr float, ptr addrspace(1) %p, i64 192
  %v6 = load <16 x float>, ptr addrspace(1) %a6, align 4
  %a7 = getelementptr float, ptr addrspace(1) %p, i64 224
  %v7 = load <16 x float>, ptr addrspace(1) %a7, align 4
  %a8 = getelementptr float, ptr addrspace(1) %p, i64 256
  %v8 = load <16 x float>, ptr addrspace(1) %a8, align 4
  store <16 x float> %v0, ptr addrspace(1) %out
  store <16 x float> %v1, ptr addrspace(1) %out
  store <16 x float> %v2, ptr addrspace(1) %out
  store <16 x float> %v3, ptr addrspace(1) %out
  store <16 x float> %v4, ptr addrspace(1) %out
  store <16 x float> %v5, ptr addrspace(1) %out
  store <16 x float> %v6, ptr addrspace(1) %out
  store <16 x float> %v7, ptr addrspace(1) %out
  store <16 x float> %v8, ptr addrspace(1) %out
  ret void
}

; Volatile loads stay,
; CHECK-LABEL: define void @volatile(
; CHECK-NOT: shufflevector
; CHECK: ret void
define void @volatile(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %a0 = getelementptr float, ptr addrspace(1) %p, i64 0
  %v0 = load volatile <16 x float>, ptr addrspace(1) %a0, align 4
  %a1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load volatile <16 x float>, ptr addrspace(1) %a1, align 4
  %a2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %v2 = load volatile <16 x float>, ptr addrspace(1) %a2, align 4
  %a3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %v3 = load volatile <16 x float>, ptr addrspace(1) %a3, align 4
  %a4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %v4 = load volatile <16 x float>, ptr addrspace(1) %a4, align 4
  %a5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %v5 = load volatile <16 x float>, ptr addrspace(1) %a5, align 4
  %a6 = getelementptr float, ptr addrspace(1) %p, i64 6
  %v6 = load volatile <16 x float>, ptr addrspace(1) %a6, align 4
  %a7 = getelementptr float, ptr addrspace(1) %p, i64 7
  %v7 = load volatile <16 x float>, ptr addrspace(1) %a7, align 4
  %a8 = getelementptr float, ptr addrspace(1) %p, i64 8
  %v8 = load volatile <16 x float>, ptr addrspace(1) %a8, align 4
  store <16 x float> %v0, ptr addrspace(1) %out
  store <16 x float> %v1, ptr addrspace(1) %out
  store <16 x float> %v2, ptr addrspace(1) %out
  store <16 x float> %v3, ptr addrspace(1) %out
  store <16 x float> %v4, ptr addrspace(1) %out
  store <16 x float> %v5, ptr addrspace(1) %out
  store <16 x float> %v6, ptr addrspace(1) %out
  store <16 x float> %v7, ptr addrspace(1) %out
  store <16 x float> %v8, ptr addrspace(1) %out
  ret void
}

; and vectors of other sizes.
; CHECK-LABEL: define void @halves_of_registers(
; CHECK-NOT: shufflevector
; CHECK: ret void
define void @halves_of_registers(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %a0 = getelementptr float, ptr addrspace(1) %p, i64 0
  %v0 = load <8 x float>, ptr addrspace(1) %a0, align 4
  %a1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load <8 x float>, ptr addrspace(1) %a1, align 4
  %a2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %v2 = load <8 x float>, ptr addrspace(1) %a2, align 4
  %a3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %v3 = load <8 x float>, ptr addrspace(1) %a3, align 4
  %a4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %v4 = load <8 x float>, ptr addrspace(1) %a4, align 4
  %a5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %v5 = load <8 x float>, ptr addrspace(1) %a5, align 4
  %a6 = getelementptr float, ptr addrspace(1) %p, i64 6
  %v6 = load <8 x float>, ptr addrspace(1) %a6, align 4
  %a7 = getelementptr float, ptr addrspace(1) %p, i64 7
  %v7 = load <8 x float>, ptr addrspace(1) %a7, align 4
  %a8 = getelementptr float, ptr addrspace(1) %p, i64 8
  %v8 = load <8 x float>, ptr addrspace(1) %a8, align 4
  store <8 x float> %v0, ptr addrspace(1) %out
  store <8 x float> %v1, ptr addrspace(1) %out
  store <8 x float> %v2, ptr addrspace(1) %out
  store <8 x float> %v3, ptr addrspace(1) %out
  store <8 x float> %v4, ptr addrspace(1) %out
  store <8 x float> %v5, ptr addrspace(1) %out
  store <8 x float> %v6, ptr addrspace(1) %out
  store <8 x float> %v7, ptr addrspace(1) %out
  store <8 x float> %v8, ptr addrspace(1) %out
  ret void
}

; A store between them may change what they load.
; CHECK-LABEL: define void @store_between(
; CHECK-NOT: shufflevector
; CHECK: ret void
define void @store_between(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %a0 = getelementptr float, ptr addrspace(1) %p, i64 0
  %v0 = load <16 x float>, ptr addrspace(1) %a0, align 4
  %a1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load <16 x float>, ptr addrspace(1) %a1, align 4
  %a2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %v2 = load <16 x float>, ptr addrspace(1) %a2, align 4
  %a3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %v3 = load <16 x float>, ptr addrspace(1) %a3, align 4
  %a4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %v4 = load <16 x float>, ptr addrspace(1) %a4, align 4
  store float 1.0, ptr addrspace(1) %out
  %a5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %v5 = load <16 x float>, ptr addrspace(1) %a5, align 4
  %a6 = getelementptr float, ptr addrspace(1) %p, i64 6
  %v6 = load <16 x float>, ptr addrspace(1) %a6, align 4
  %a7 = getelementptr float, ptr addrspace(1) %p, i64 7
  %v7 = load <16 x float>, ptr addrspace(1) %a7, align 4
  %a8 = getelementptr float, ptr addrspace(1) %p, i64 8
  %v8 = load <16 x float>, ptr addrspace(1) %a8, align 4
  store <16 x float> %v0, ptr addrspace(1) %out
  store <16 x float> %v1, ptr addrspace(1) %out
  store <16 x float> %v2, ptr addrspace(1) %out
  store <16 x float> %v3, ptr addrspace(1) %out
  store <16 x float> %v4, ptr addrspace(1) %out
  store <16 x float> %v5, ptr addrspace(1) %out
  store <16 x float> %v6, ptr addrspace(1) %out
  store <16 x float> %v7, ptr addrspace(1) %out
  store <16 x float> %v8, ptr addrspace(1) %out
  ret void
}
