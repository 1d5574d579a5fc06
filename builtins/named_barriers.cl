// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named barriers between some of a group's sub-groups (cl_khr_subgroup_named_barrier, which SPIR-V
// alone has functions for). The reader of SPIR-V gives each of them a variable in local memory.
#include "lanes.h"

// All sub-groups of a group run on one thread.
struct heddle_named_barrier {
  uint sub_groups; // that must come
  uint arrived;
  uint round; // how often all have come
};
typedef __local struct heddle_named_barrier* NamedBarrier;

// A work-group function: nobody waits at what was there before, or comes too early.
void __named_barrier_initialize(NamedBarrier named, uint sub_groups) {
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_linear_id() == 0) {
    named->sub_groups = sub_groups;
    named->arrived = 0;
    named->round = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// A sub-group function.
void __named_barrier_wait(NamedBarrier named) {
  __heddle_sub_group_barrier();
  if (__heddle_sub_group_local_id() == 0) {
    const uint round = __atomic_load_n(&named->round, __ATOMIC_RELAXED);
    const uint arrived = __atomic_fetch_add(&named->arrived, 1u, __ATOMIC_ACQ_REL) + 1;
    if (arrived >= named->sub_groups) {
      __atomic_store_n(&named->arrived, 0u, __ATOMIC_RELAXED);
      __atomic_store_n(&named->round, round + 1, __ATOMIC_RELEASE);
    } else {
      while (__atomic_load_n(&named->round, __ATOMIC_ACQUIRE) == round)
        ;
    }
  }
  __heddle_sub_group_barrier();
}
