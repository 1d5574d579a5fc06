# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DINPUT=in.ll -DOUTPUT=out.ll -P retarget.cmake
#
# Converts the library's textual IR to IR that Clang compiles for this processor: flat address spaces and C's calling
# convention, as Heddle's compiler does for kernels.
file(READ ${INPUT} text)
string(REGEX REPLACE "target (triple|datalayout) = [^\n]*" "" text "${text}")
string(REGEX REPLACE " addrspace\\([1-4]\\)" "" text "${text}")
string(REPLACE "spir_func " "" text "${text}")
string(REGEX REPLACE "target\\(\"spirv\\.(Event|Image|Sampler)\"[^)]*\\)" "ptr" text "${text}")
string(REGEX REPLACE "addrspacecast \\(?ptr ([^\n ]*) to ptr\\)?" "getelementptr i8, ptr \\1, i64 0" text "${text}")
string(REGEX REPLACE "(@llvm[a-z0-9_.]*)\\.p[1-4]([^0-9a-z])" "\\1.p0\\2" text "${text}")
file(WRITE ${OUTPUT} "${text}")
