; RUN: %heddle_opt --passes=split-packed-lanes %s | FileCheck %s
; A half of two lanes that were packed into an i64 is the lane.

; CHECK-LABEL: define i64 @halves(
; CHECK-NEXT: [[A:%.*]] = extractelement <2 x i32> %v, i64 0
; CHECK-NEXT: [[LOW:%.*]] = zext i32 [[A]] to i64
; CHECK-NEXT: [[B:%.*]] = extractelement <2 x i32> %v, i64 1
; CHECK-NEXT: [[HIGH:%.*]] = zext i32 [[B]] to i64
; CHECK-NEXT: [[SUM:%.*]] = add i64 [[LOW]], [[HIGH]]
; CHECK-NEXT: ret i64 [[SUM]]
define i64 @halves(<2 x i32> %v) {
  %word = bitcast <2 x i32> %v to i64
  %low = and i64 %word, 4294967295
  %high = lshr i64 %word, 32
  %sum = add i64 %low, %high
  ret i64 %sum
}

; So is a part of the low one.
; CHECK-LABEL: define i64 @part(
; CHECK-NEXT: [[A:%.*]] = extractelement <2 x i32> %v, i64 0
; CHECK-NEXT: [[LOW:%.*]] = zext i32 [[A]] to i64
; CHECK-NEXT: [[BITS:%.*]] = and i64 [[LOW]], 1020
; CHECK-NEXT: ret i64 [[BITS]]
define i64 @part(<2 x i32> %v) {
  %word = bitcast <2 x i32> %v to i64
  %bits = and i64 %word, 1020
  ret i64 %bits
}

; Parts of both lanes, of other vectors, and the i64 itself are no lane.
; CHECK-LABEL: define void @others(
; CHECK-NOT: extractelement
; CHECK: ret void
define void @others(<2 x i32> %v, <4 x i16> %w, <1 x i64> %x, ptr %out) {
  %word = bitcast <2 x i32> %v to i64
  %both = and i64 %word, 68719476735
  store volatile i64 %both, ptr %out
  %shift = lshr i64 %word, 31
  store volatile i64 %shift, ptr %out
  %sign = ashr i64 %word, 32
  store volatile i64 %sign, ptr %out
  store volatile i64 %word, ptr %out
  %shorts = bitcast <4 x i16> %w to i64
  %low = and i64 %shorts, 4294967295
  store volatile i64 %low, ptr %out
  %single = bitcast <1 x i64> %x to i64
  %high = lshr i64 %single, 32
  store volatile i64 %high, ptr %out
  ret void
}

; Where one half is used and the i64 as well, the i64 stays.
; CHECK-LABEL: define i64 @mixed(
; CHECK-NEXT: [[WORD:%.*]] = bitcast <2 x i32> %v to i64
; CHECK-NEXT: [[B:%.*]] = extractelement <2 x i32> %v, i64 1
; CHECK-NEXT: [[HIGH:%.*]] = zext i32 [[B]] to i64
; CHECK-NEXT: [[SUM:%.*]] = add i64 [[HIGH]], [[WORD]]
define i64 @mixed(<2 x i32> %v) {
  %word = bitcast <2 x i32> %v to i64
  %high = lshr i64 %word, 32
  %sum = add i64 %high, %word
  ret i64 %sum
}
