# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Options and warnings shared by every target.
option(HEDDLE_BUILD_TESTS "Build tests, conformance programs and examples" ON)
set(HEDDLE_SANITIZE "" CACHE STRING "Sanitizers for Heddle's own code: address, thread, or empty")
set(HEDDLE_COMPILER_LIBRARY ${CMAKE_SOURCE_DIR}/build/release/lib/libheddle-compiler.so CACHE FILEPATH
    "With the thread sanitizer: the libheddle-compiler.so of another build, which the tests use")
option(HEDDLE_PRECOMPILE "Precompile the headers of others: a third of the time of a first build with Clang" OFF)
option(HEDDLE_JOIN "Compile the driver's sources eight at a time: half of the time of a first build, but what changes takes longer" OFF)
option(HEDDLE_WERROR "Treat warnings as errors" OFF)
set(HEDDLE_LLVM_VERSION 22)
set(HEDDLE_LLVM_ROOT /usr/lib/llvm-${HEDDLE_LLVM_VERSION} CACHE PATH "Where LLVM and Clang are installed")
set(HEDDLE_LLVM_TOOLS ${HEDDLE_LLVM_ROOT}/bin CACHE PATH "Programs of LLVM that run during the build")
set(HEDDLE_HOST_BUILD "" CACHE PATH "When cross compiling: the build for this machine whose programs run during this build")

# The architecture of the machine that kernels run on: the folders compiler/target/NAME and runtime/target/NAME. What
# LLVM calls its libraries, and the CPU of a typical build.
set(HEDDLE_PROCESSOR ${CMAKE_SYSTEM_PROCESSOR} CACHE STRING
    "What kernels are compiled for; if this is not the processor of the system, there are the compiler and its tests only")
if(HEDDLE_PROCESSOR STREQUAL "x86_64")
  set(HEDDLE_TARGET x86)
  set(HEDDLE_LLVM_TARGET x86)
  set(HEDDLE_TYPICAL_CPU x86-64-v4)
elseif(HEDDLE_PROCESSOR STREQUAL "aarch64")
  set(HEDDLE_TARGET aarch64)
  set(HEDDLE_LLVM_TARGET aarch64)
  set(HEDDLE_TYPICAL_CPU armv8-a)
else()
  message(FATAL_ERROR "Heddle does not know ${HEDDLE_PROCESSOR}: docs/adding.md says what a target needs")
endif()

# The default of the environment variable HEDDLE_VERIFY_EACH and of heddlec --verify-each.
set(verify_each OFF)
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR HEDDLE_SANITIZE)
  set(verify_each ON)
endif()
option(HEDDLE_VERIFY_EACH "Verify the IR after each pass unless told otherwise" ${verify_each})

add_library(heddle_flags INTERFACE)
target_compile_definitions(heddle_flags INTERFACE
  HEDDLE_VERIFY_EACH_DEFAULT=$<IF:$<BOOL:${HEDDLE_VERIFY_EACH}>,true,false>
  HEDDLE_TARGET_PASSES="compiler/target/${HEDDLE_TARGET}/passes.def")
target_compile_options(heddle_flags INTERFACE -Wall -Wextra -Wno-unused-parameter -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # libstdc++'s std::stable_sort uses what is deprecated, and its pragmas for that do not reach LLVM's templates.
  target_compile_options(heddle_flags INTERFACE -Wno-deprecated-declarations)
  if(HEDDLE_PRECOMPILE) # with times in them, ccache would never see the same headers again
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()
# heddle_join_sources(TARGET): names of its sources' unnamed namespaces must differ, at least within a folder.
function(heddle_join_sources target)
  if(HEDDLE_JOIN)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
if(HEDDLE_WERROR)
  target_compile_options(heddle_flags INTERFACE -Werror)
endif()
if(HEDDLE_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined -fno-sanitize=vptr)
elseif(HEDDLE_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()

# Two builds of the same sources give the same bytes, wherever they are done: release code holds no path of the build.
# The build folder comes last because it may lie in the source folder, and the last one that fits is taken.
add_compile_options("$<$<CONFIG:Release>:-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.>"
                    "$<$<CONFIG:Release>:-ffile-prefix-map=${CMAKE_BINARY_DIR}=./build>")
# What is installed has functions and lines for debuggers and profilers; packages keep them apart (packaging/deb).
add_library(heddle_shipped INTERFACE)
target_compile_options(heddle_shipped INTERFACE $<$<CONFIG:Release>:-g1>)
# tools/package turns this off, and keeps what would be stripped in a package of its own.
option(HEDDLE_STRIP "Link the libraries of Release builds without debug information" ON)
set(HEDDLE_STRIP_DEBUG $<$<AND:$<BOOL:${HEDDLE_STRIP}>,$<CONFIG:Release>>:-Wl,-S>)
set(HEDDLE_STRIP_ALL $<$<AND:$<BOOL:${HEDDLE_STRIP}>,$<CONFIG:Release>>:-Wl,-s>)
