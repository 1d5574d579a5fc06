# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DINPUT=in.ll -DOUTPUT=out.ll -P strip_module.cmake
#
# Removes from textual LLVM IR what must not be linked into kernels' modules: the language version, and string
# attributes of functions, which describe the target.
file(READ ${INPUT} text)
string(REGEX REPLACE "\n!(opencl\\.[a-z.]+|llvm\\.module\\.flags|llvm\\.ident) = [^\n]*" "" text "${text}")
string(REGEX REPLACE "\nsource_filename = [^\n]*" "\nsource_filename = \"builtins\"" text "${text}")
string(REGEX REPLACE " \"(frame-pointer|no-trapping-math|stack-protector-buffer-size|target-cpu|target-features|tune-cpu|uniform-work-group-size)\"(=\"[^\"]*\")?" "" text "${text}")
file(WRITE ${OUTPUT} "${text}")
