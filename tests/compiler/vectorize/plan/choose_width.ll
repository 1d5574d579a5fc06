; REQUIRES: x86
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,emit-variants)' --cpu=x86-64-v4 %s | FileCheck %s --check-prefixes=CHECK,V4
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,emit-variants)' --cpu=x86-64-v3 %s | FileCheck %s --check-prefixes=CHECK,V3
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,emit-variants)' --cpu=x86-64-v2 %s | FileCheck %s --check-prefixes=CHECK,V2
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,emit-variants)' --width=12 %s | FileCheck %s --check-prefixes=CHECK,REQUESTED
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,emit-variants)' --width=100 %s | FileCheck %s --check-prefixes=MOST
; As many lanes as a register has elements of the kernel's most frequent size; a requested width is rounded down to a
; power of two, 64 at most. The program's own requirement precedes both. Variants follow the bodies in the output.

; CHECK-LABEL: define internal void @floats.whole(
; V4: store <16 x float>
; V3: store <8 x float>
; V2: store <4 x float>
; REQUESTED: store <8 x float>
; MOST-LABEL: define internal void @floats.whole(
; MOST: store <64 x float>
; CHECK-LABEL: define internal void @doubles.whole(
; V4: store <8 x double>
; V3: store <4 x double>
; V2: store <2 x double>
; REQUESTED: store <8 x double>
; Bytes count as elements of 16 bits: arithmetic on them is wider.
; CHECK-LABEL: define internal void @bytes.whole(
; V4: store <32 x i8>
; V3: store <16 x i8>
; V2: store <8 x i8>
; REQUESTED: store <8 x i8>
; A kernel whose own vectors fill the registers stays scalar, unless a width is requested.
; V4-NOT: @vectors.whole
; V3-NOT: @vectors.whole
; V2-NOT: @vectors.whole
; REQUESTED-LABEL: define internal void @vectors.whole(
; CHECK-LABEL: define internal void @required.whole(
; CHECK: store <4 x float>
define void @floats.body(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %local_x
  store float %v, ptr addrspace(1) %q
  ret void
}

define void @doubles.body(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #1 {
  %p = getelementptr inbounds double, ptr addrspace(1) %a, i64 %local_x
  %v = load double, ptr addrspace(1) %p
  %q = getelementptr inbounds double, ptr addrspace(1) %b, i64 %local_x
  store double %v, ptr addrspace(1) %q
  ret void
}

define void @bytes.body(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #2 {
  %p = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %local_x
  %v = load i8, ptr addrspace(1) %p
  %q = getelementptr inbounds i8, ptr addrspace(1) %b, i64 %local_x
  store i8 %v, ptr addrspace(1) %q
  ret void
}

define void @vectors.body(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #3 {
  %p = getelementptr inbounds <16 x float>, ptr addrspace(1) %a, i64 %local_x
  %v = load <16 x float>, ptr addrspace(1) %p
  %q = getelementptr inbounds <16 x float>, ptr addrspace(1) %b, i64 %local_x
  store <16 x float> %v, ptr addrspace(1) %q
  ret void
}

define void @required.body(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #4 !intel_reqd_sub_group_size !0 {
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %local_x
  store float %v, ptr addrspace(1) %q
  ret void
}

attributes #0 = { "heddle-kernel"="floats" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="doubles" "heddle-work-item-state" }
attributes #2 = { "heddle-kernel"="bytes" "heddle-work-item-state" }
attributes #3 = { "heddle-kernel"="vectors" "heddle-work-item-state" }
attributes #4 = { "heddle-kernel"="required" "heddle-work-item-state" }
!0 = !{i32 4}
