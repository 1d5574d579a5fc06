; REQUIRES: x86
; RUN: split-file %s %t
; RUN: %heddle_opt --passes=retarget --cpu=x86-64-v4 %t/module.ll | FileCheck %s --check-prefixes=CHECK,RETARGET,AVX512
; RUN: %heddle_opt --passes=retarget --cpu=x86-64-v3 %t/module.ll | FileCheck %s --check-prefixes=CHECK,RETARGET --implicit-check-not=vector-width
; RUN: %heddle_opt --passes=set-target-attributes --cpu=x86-64-v4 %t/functions.ll | FileCheck %s --check-prefix=ATTRIBUTES
; RUN: %heddle_opt --passes=set-target-attributes --cpu=x86-64-v3 %t/functions.ll | FileCheck %s --check-prefix=NARROW --implicit-check-not=vector-width

; The front end compiles for SPIR; from here on it is x86.
; RETARGET: target datalayout = "e-m:e-{{.*}}-S128"
; RETARGET: target triple = "x86_64-{{.*}}linux-gnu"
; CHECK-LABEL: define void @kernel(
; CHECK-SAME: #[[FUNCTION:[0-9]+]]
; Debuggers for x86 reject address spaces in the location of a variable.
; CHECK: #dbg_value(ptr addrspace(1) %p, !{{[0-9]+}}, !DIExpression(), !{{[0-9]+}})
; CHECK: #dbg_value(ptr addrspace(1) %p, !{{[0-9]+}}, !DIExpression(DW_OP_plus_uconst, 8), !{{[0-9]+}})
; CHECK: declare void @declared() #[[DECLARED:[0-9]+]]
; AVX512: attributes #[[FUNCTION]] = { uwtable "min-legal-vector-width"="512" "prefer-vector-width"="512" "probe-stack"="inline-asm" }
; RETARGET: attributes #[[DECLARED]] = { "target-cpu"="generic" }
;--- module.ll
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
define void @kernel(ptr addrspace(1) %p) #0 !dbg !4 {
    #dbg_value(ptr addrspace(1) %p, !6, !DIExpression(DW_OP_constu, 1, DW_OP_swap, DW_OP_xderef), !7)
    #dbg_value(ptr addrspace(1) %p, !6, !DIExpression(DW_OP_plus_uconst, 8), !7)
  call void @declared(), !dbg !7
  ret void, !dbg !7
}
declare void @declared() #1
attributes #0 = { "target-cpu"="generic" "target-features"="+x" "stack-protector-buffer-size"="8" }
attributes #1 = { "target-cpu"="generic" }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cl", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "kernel", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !8)
!6 = !DILocalVariable(name: "p", arg: 1, scope: !4, file: !1, line: 1, type: !9)
!7 = !DILocation(line: 1, scope: !4)
!8 = !{null}
!9 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)

; Functions that passes add get the attributes, too; nothing else changes.
; ATTRIBUTES-NOT: target {{datalayout|triple}}
; ATTRIBUTES-LABEL: define void @added(
; ATTRIBUTES-SAME: #[[ADDED:[0-9]+]]
; ATTRIBUTES: declare void @declared(){{$}}
; ATTRIBUTES: attributes #[[ADDED]] = { uwtable "min-legal-vector-width"="512" "prefer-vector-width"="512" "probe-stack"="inline-asm" "target-cpu"="kept" }
; NARROW: attributes #{{[0-9]+}} = { uwtable "probe-stack"="inline-asm" "target-cpu"="kept" }
;--- functions.ll
define void @added() #0 {
  ret void
}
declare void @declared()
attributes #0 = { "target-cpu"="kept" }
