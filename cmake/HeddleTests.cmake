# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What of this machine's CPU the tests depend on.
# The CPU levels below its own, which the tests without a level run at.
set(HEDDLE_LOWER_LEVELS)
set(flags)
if(HEDDLE_TARGET STREQUAL x86)
  file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
  set(HEDDLE_LOWER_LEVELS x86-64-v2)
endif()
# As many lanes as floats in four registers. Twice as many take many times as long to build.
set(HEDDLE_FOUR_REGISTERS 32)
if(flags MATCHES "avx512vl")
  list(APPEND HEDDLE_LOWER_LEVELS x86-64-v3)
  set(HEDDLE_FOUR_REGISTERS 64)
endif()

# heddle_tests_again(PATTERN): the tests of this folder with such names run programs that run in other tests too, with another width,
# barrier mechanism, CPU or environment. They have the label `again`, which tools/test leaves to tools/test --all.
function(heddle_tests_again pattern)
  get_property(tests DIRECTORY PROPERTY TESTS)
  list(FILTER tests INCLUDE REGEX "^${pattern}$")
  set_property(TEST ${tests} APPEND PROPERTY LABELS again)
endfunction()
