; Printed IR names its kernels in attributes, so that passes for kernels run on it.
; REQUIRES: x86
; RUN: split-file %s %t
; RUN: %heddlec --program %t/kernels.cl -o %t/kernels.bc
; RUN: %heddlec --unit=first %t/kernels.bc --cpu=x86-64-v4 --width=8 --print-after=make-kernel-wrappers 2>%t/first.ll
; RUN: %heddle_opt --passes=mark-vectorized,expose-kernels %t/first.ll | FileCheck %s
; RUN: %heddlec --unit=second %t/kernels.bc --cpu=x86-64-v4 --width=8 --print-after=make-kernel-wrappers 2>%t/second.ll
; RUN: %heddle_opt --passes=mark-vectorized,expose-kernels %t/second.ll | FileCheck %s --check-prefix=SECOND
; CHECK: define dso_local void @first.body({{.*}} #[[FIRST:[0-9]+]]
; SECOND: define dso_local void @second.body({{.*}} #[[SECOND:[0-9]+]]
; CHECK: define internal void @first.whole({{.*}} #[[WIDE:[0-9]+]]
; CHECK-DAG: attributes #[[FIRST]] = { {{.*}}"heddle-kernel"="first"
; CHECK-DAG: attributes #[[WIDE]] = { {{.*}}"heddle-kernel"="first" "heddle-variant"="whole 8" "heddle-vectori{{[sz]}}ed"
; SECOND: attributes #[[SECOND]] = { {{.*}}"heddle-kernel"="second"
;--- kernels.cl
kernel void first(global float* a) {
  size_t i = get_global_id(0);
  a[i] = a[i] * 2;
}
kernel void second(global float* a) {
  size_t i = get_global_id(0);
  a[i] = a[i] * 3;
}
