// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/target/context_switch.h"

#include <cstdint>

namespace heddle {

StackContext make_stack(std::byte* top, void (*entry)(void*)) {
  auto* words = reinterpret_cast<std::uint64_t*>(top) - 9;
  words[0] = words[1] = words[2] = words[3] = 0;     // r15, r14, r13, r12
  words[4] = reinterpret_cast<std::uint64_t>(entry); // rbx
  words[5] = 0;                                      // rbp: the end of the frame chain
  words[6] = reinterpret_cast<std::uint64_t>(&heddle_stack_entry);
  words[7] = words[8] = 0; // heddle_stack_entry calls with the stack pointer here, a multiple of 16
  return words;
}

} // namespace heddle

// Returns with `ret` rather than with a jump to the popped address. All fibers switch from one call
// site, so the processor's return-address predictor is right, here and for the return from that
// call site. A jump would leave it off by one, and the next return would be mispredicted: 11.5 ns
// per barrier instead of 7.
//
// Saved: rbx, rbp, r12 to r15 and the stack pointer. rdi: where to save, rsi: the stack to resume,
// rdx: the value. Of heddle_call_on_stack, which saves the same registers in the same order: rsi
// the top, rdx the function, rcx the value.
asm(R"(
    .text
    .globl heddle_switch_stack
    .hidden heddle_switch_stack
    .type heddle_switch_stack, @function
    .p2align 5
heddle_switch_stack:
    .cfi_startproc
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    movq %rdx, %rax
    ret
    .cfi_endproc
    .size heddle_switch_stack, . - heddle_switch_stack

    .globl heddle_call_on_stack
    .hidden heddle_call_on_stack
    .type heddle_call_on_stack, @function
    .p2align 5
heddle_call_on_stack:
    .cfi_startproc
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsp, %rbx
    .cfi_undefined rip
    movq %rsi, %rsp
    movq %rcx, %rdi
    xorl %ebp, %ebp
    callq *%rdx
    movq %rbx, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    movl $1, %eax
    ret
    .cfi_endproc
    .size heddle_call_on_stack, . - heddle_call_on_stack

    .globl heddle_call_recoverably
    .hidden heddle_call_recoverably
    .type heddle_call_recoverably, @function
    .p2align 5
heddle_call_recoverably:
    .cfi_startproc
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsp, %rbx
    .cfi_def_cfa rbx, 56
    .cfi_offset rbp, -16
    .cfi_offset rbx, -24
    subq $8, %rsp
    movq %rdx, %rdi
    callq *%rsi
    movq %rbx, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    movl $1, %eax
    ret
    .cfi_endproc
    .size heddle_call_recoverably, . - heddle_call_recoverably

    .globl heddle_stack_entry
    .hidden heddle_stack_entry
    .type heddle_stack_entry, @function
    .p2align 5
heddle_stack_entry:
    .cfi_startproc
    .cfi_undefined rip
    movq %rax, %rdi
    callq *%rbx
    ud2
    .cfi_endproc
    .size heddle_stack_entry, . - heddle_stack_entry
)");
