# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What of this machine's CPU the tests depend on.
# The levels that HEDDLE_CPU names and it has, from the least on; and those below its own, which the tests without a level run at.
file(STRINGS /proc/cpuinfo flags REGEX "^(flags|Features)" LIMIT_COUNT 1)
if(HEDDLE_TARGET STREQUAL x86)
  set(HEDDLE_LEVELS x86-64-v2 x86-64-v3)
  if(flags MATCHES "avx512vl")
    list(APPEND HEDDLE_LEVELS x86-64-v4)
  endif()
else()
  set(HEDDLE_LEVELS armv8-a)
  if(CMAKE_CROSSCOMPILING OR flags MATCHES "asimdhp.*asimddp") # qemu has all
    list(APPEND HEDDLE_LEVELS armv8.2-a+fp16+dotprod)
  endif()
  foreach(level sve sve2)
    if(CMAKE_CROSSCOMPILING OR flags MATCHES " ${level}( |$)")
      list(APPEND HEDDLE_LEVELS ${level})
    endif()
  endforeach()
endif()
set(HEDDLE_LOWER_LEVELS ${HEDDLE_LEVELS})
list(POP_BACK HEDDLE_LOWER_LEVELS)
# As many lanes as floats in four registers. Twice as many take many times as long to build.
set(HEDDLE_FOUR_REGISTERS 32)
if(x86-64-v4 IN_LIST HEDDLE_LEVELS)
  set(HEDDLE_FOUR_REGISTERS 64)
endif()

# heddle_tests_again(PATTERN): the tests of this folder with such names run programs that run in other tests too, with another width,
# barrier mechanism, CPU or environment. They have the label `again`, which tools/test leaves to tools/test --all.
function(heddle_tests_again pattern)
  get_property(tests DIRECTORY PROPERTY TESTS)
  list(FILTER tests INCLUDE REGEX "^${pattern}$")
  set_property(TEST ${tests} APPEND PROPERTY LABELS again)
endfunction()

# Programs that qemu emulates (tools/cross) take some twenty times as long.
set(HEDDLE_TIMEOUT_FACTOR 1)
if(CMAKE_CROSSCOMPILING)
  set(HEDDLE_TIMEOUT_FACTOR 10)
endif()
# For the tests of this folder that add_test has made.
function(heddle_allow_for_emulation)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test IN LISTS tests)
    get_test_property(${test} TIMEOUT seconds)
    if(seconds)
      math(EXPR seconds "${seconds} * ${HEDDLE_TIMEOUT_FACTOR}")
      set_tests_properties(${test} PROPERTIES TIMEOUT ${seconds})
    endif()
  endforeach()
endfunction()
