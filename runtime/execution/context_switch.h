// Switches between stacks: what fibers and kernel stacks are made of.
//
// Saves what the System V ABI says a called function keeps (rbx, rbp, r12 to r15 and the stack
// pointer) and nothing else. Boost.Context's jump also keeps the x87 and SSE control words, which
// kernels never change; on Zen 4 that alone costs 20 of its 30 ns, and a barrier may cost 10.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

// A suspended stack: where its registers are saved.
using StackContext = void*;

extern "C" {
// Suspends the calling stack into *save, goes on with `next`, and gives it `value`: what its own
// heddle_switch_stack answers, or the argument of its entry function.
void* heddle_switch_stack(StackContext* save, StackContext next, void* value);
// Where a new stack starts: calls the entry function, which must not return.
void heddle_stack_entry();
}

// A stack that will call entry(value) when it is first switched to. `top` is aligned to 16.
inline StackContext make_stack(std::byte* top, void (*entry)(void*)) {
  auto* words = reinterpret_cast<std::uint64_t*>(top) - 9;
  words[0] = words[1] = words[2] = words[3] = 0;     // r15, r14, r13, r12
  words[4] = reinterpret_cast<std::uint64_t>(entry); // rbx
  words[5] = 0;                                      // rbp: the end of the chain of frames
  words[6] = reinterpret_cast<std::uint64_t>(&heddle_stack_entry);
  words[7] = words[8] = 0; // heddle_stack_entry calls with the stack pointer here, a multiple of 16
  return words;
}

} // namespace heddle
