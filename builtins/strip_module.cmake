# cmake -DINPUT=in.ll -DOUTPUT=out.ll -P strip_module.cmake
#
# Removes from textual LLVM IR what belongs to the compilation of the library and would otherwise
# be carried into every kernel's module: the language version and string attributes of functions,
# which say things about the target that the kernel's own compilation decides.
file(READ ${INPUT} text)
string(REGEX REPLACE "\n!(opencl\\.[a-z.]+|llvm\\.module\\.flags|llvm\\.ident) = [^\n]*" "" text "${text}")
string(REGEX REPLACE "\nsource_filename = [^\n]*" "\nsource_filename = \"builtins\"" text "${text}")
string(REGEX REPLACE " \"(frame-pointer|no-trapping-math|stack-protector-buffer-size|target-cpu|target-features|tune-cpu|uniform-work-group-size)\"(=\"[^\"]*\")?" "" text "${text}")
file(WRITE ${OUTPUT} "${text}")
