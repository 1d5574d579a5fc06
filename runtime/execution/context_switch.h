// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switches between stacks, for fibers and kernel stacks.
//
// Saves the callee-saved registers of the System V ABI (rbx, rbp, r12 to r15 and the stack pointer)
// and nothing else. Boost.Context's jump also saves the x87 and SSE control words, which kernels
// never change; on Zen 4 that takes 20 of its 30 ns, and the budget of a barrier is 10 ns.
#pragma once

#include <cstddef>
#include <cstdint>

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
// The start of a new stack: calls the entry function, which must not return.
void heddle_stack_entry();
}

// A stack that calls entry(value) at the first switch to it. `top` is aligned to 16.
inline StackContext make_stack(std::byte* top, void (*entry)(void*)) {
  auto* words = reinterpret_cast<std::uint64_t*>(top) - 9;
  words[0] = words[1] = words[2] = words[3] = 0;     // r15, r14, r13, r12
  words[4] = reinterpret_cast<std::uint64_t>(entry); // rbx
  words[5] = 0;                                      // rbp: the end of the frame chain
  words[6] = reinterpret_cast<std::uint64_t>(&heddle_stack_entry);
  words[7] = words[8] = 0; // heddle_stack_entry calls with the stack pointer here, a multiple of 16
  return words;
}

} // namespace heddle
