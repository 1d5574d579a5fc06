// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switches between stacks, for fibers and kernel stacks.
//
// Saves the registers that the calling convention lets functions keep, and nothing else.
// Boost.Context's jump also saves the modes of floating-point arithmetic, which kernels never
// change; on Zen 4 that takes 20 of its 30 ns, and the budget of a barrier is 10 ns.
#pragma once

#include <cstddef>

namespace heddle {

// A suspended stack: the address of its saved registers.
using StackContext = void*;

extern "C" {
// Suspends the calling stack into *save and resumes `next` with `value`, which is the result of its
// heddle_switch_stack, or the argument of its entry function.
void* heddle_switch_stack(StackContext* save, StackContext next, void* value);
// Suspends the calling stack into *save and calls function(value) on a stack whose top, a multiple
// of 16, is given. The result is not null if the function has returned; instead of that, it may
// abandon its stack and resume *save with null. All calls and returns are in pairs, as the
// processor predicts them: two switches to a loop and back would take 10 ns more.
void* heddle_call_on_stack(StackContext* save, void* top, void (*function)(void*), void* value);
// Calls function(value) on the calling stack. The result is not null if the function has returned;
// null: another stack has resumed *save with null, and the function's frames are gone.
void* heddle_call_recoverably(StackContext* save, void (*function)(void*), void* value);
// The start of a new stack: calls the entry function, which must not return.
void heddle_stack_entry();
}

// A stack that calls entry(value) at the first switch to it. `top` is aligned to 16.
StackContext make_stack(std::byte* top, void (*entry)(void*));

} // namespace heddle
