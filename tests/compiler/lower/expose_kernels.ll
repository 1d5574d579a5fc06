; RUN: %heddle_opt --passes=expose-kernels %s | FileCheck %s
; Nothing calls the body of a kernel, so that it needs external linkage to survive until its wrapper is made.
; CHECK: define dso_local void @kernel.body() #[[KERNEL:[0-9]+]]
define internal void @kernel.body() #0 {
  call void @helper()
  ret void
}
; Other functions stay internal: they go once they are inlined.
; CHECK: define internal void @helper()
define internal void @helper() {
  ret void
}
; CHECK: attributes #[[KERNEL]] = { "heddle-kernel"="kernel" }
attributes #0 = { "heddle-kernel"="kernel" }
