// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single instructions. The header of the target that Heddle is built for defines, inline:
//
//   spin_pause()           for loops that wait for another thread: lets the CPU's other hardware
//                          thread run, and saves power
//   prefetch_to_write(p)   fetches the cache line at p, which is written soon
//   cycle_count()          cycles at a frequency of 1 to 5 GHz, which is constant on all but old
//                          processors (processor::has_constant_cycles()), since some time in the
//                          past; half of the cost of monotonic_nanoseconds()
#pragma once

#include "target_instructions.h"
