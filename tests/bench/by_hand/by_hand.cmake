# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Hand-written code is compiled for this machine's CPU, with Clang if available, independent of the compiler of the
# rest.
find_package(TBB QUIET)
find_program(HEDDLE_HAND_CXX NAMES clang++-${HEDDLE_LLVM_VERSION} clang++
  HINTS ${HEDDLE_LLVM_ROOT}/bin DOC "The compiler of the benchmarks' code by hand")
if(NOT TBB_FOUND)
  return()
endif()
set(HEDDLE_HAND_FLAGS -std=c++20 -O3 -march=native -ffp-contract=fast -fno-math-errno -Wall -Wextra)
file(GLOB HEDDLE_HAND_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/by_hand/*.cpp)
if(HEDDLE_HAND_CXX AND NOT HEDDLE_SANITIZE)
  set(HEDDLE_HAND_OBJECTS)
  foreach(source ${HEDDLE_HAND_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/by_hand_${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${HEDDLE_HAND_CXX} ${HEDDLE_HAND_FLAGS}
        -I${CMAKE_SOURCE_DIR} -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d COMMENT "Compiling by_hand/${name}.cpp for this CPU" VERBATIM)
    list(APPEND HEDDLE_HAND_OBJECTS ${object})
  endforeach()
else()
  set(HEDDLE_HAND_OBJECTS ${HEDDLE_HAND_SOURCES})
  set_source_files_properties(${HEDDLE_HAND_SOURCES} PROPERTIES COMPILE_OPTIONS "${HEDDLE_HAND_FLAGS}")
endif()
add_executable(heddle_bench_hand ${HEDDLE_HAND_OBJECTS})
set_target_properties(heddle_bench_hand PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(heddle_bench_hand PRIVATE heddle_bench_cases TBB::tbb)
add_test(NAME bench/by_hand COMMAND heddle_bench_hand --small)
set_tests_properties(bench/by_hand PROPERTIES LABELS bench TIMEOUT 120)
