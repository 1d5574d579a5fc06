; RUN: %heddle_opt --passes=mark-vectorized %s | FileCheck %s
; Functions of vectorized kernels are optimized by a pipeline of their own.
; CHECK: define void @wide.body() #[[BODY:[0-9]+]]
define void @wide.body() #0 {
  ret void
}
; CHECK: define void @wide.whole() #[[WHOLE:[0-9]+]]
define void @wide.whole() #1 {
  ret void
}
; CHECK: define void @wide.tail() #[[TAIL:[0-9]+]]
define void @wide.tail() #2 {
  ret void
}
; A kernel with one lane is not vectorized.
; CHECK: define void @narrow.body() #[[NARROW:[0-9]+]]
define void @narrow.body() #3 {
  ret void
}
; CHECK: define void @narrow.item() #[[ITEM:[0-9]+]]
define void @narrow.item() #4 {
  ret void
}
; CHECK: define void @other() {
define void @other() {
  ret void
}
; CHECK-DAG: attributes #[[BODY]] = { "heddle-kernel"="wide" }
; CHECK-DAG: attributes #[[WHOLE]] = { "heddle-kernel"="wide" "heddle-variant"="whole 8" "heddle-vectori{{[sz]}}ed" }
; CHECK-DAG: attributes #[[TAIL]] = { "heddle-kernel"="wide" "heddle-variant"="tail 8" "heddle-vectori{{[sz]}}ed" }
; CHECK-DAG: attributes #[[NARROW]] = { "heddle-kernel"="narrow" }
; CHECK-DAG: attributes #[[ITEM]] = { "heddle-kernel"="narrow" "heddle-variant"="scalar 1" }
attributes #0 = { "heddle-kernel"="wide" }
attributes #1 = { "heddle-kernel"="wide" "heddle-variant"="whole 8" }
attributes #2 = { "heddle-kernel"="wide" "heddle-variant"="tail 8" }
attributes #3 = { "heddle-kernel"="narrow" }
attributes #4 = { "heddle-kernel"="narrow" "heddle-variant"="scalar 1" }
