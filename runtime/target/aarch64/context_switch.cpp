// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/target/context_switch.h"

#include <algorithm>
#include <cstdint>

namespace heddle {
namespace {

// What a suspended stack begins with: x19 to x30, then the lower halves of v8 to v15.
constexpr int kSavedWords = 20;
constexpr int kEntry = 0;   // x19
constexpr int kReturn = 11; // x30

} // namespace

StackContext make_stack(std::byte* top, void (*entry)(void*)) {
  auto* words = reinterpret_cast<std::uint64_t*>(top) - kSavedWords;
  std::fill_n(words, kSavedWords, 0); // x29 = 0: the end of the frame chain
  words[kEntry] = reinterpret_cast<std::uint64_t>(entry);
  words[kReturn] = reinterpret_cast<std::uint64_t>(&heddle_stack_entry);
  return words;
}

} // namespace heddle

// x0: where to save, x1: the stack to resume, x2: the value. Of heddle_call_on_stack, which saves
// the same registers in the same places: x1 the top, x2 the function, x3 the value.
//
// Returns with `ret`, for the predictor of return addresses.
asm(R"(
    .macro save_registers
    sub sp, sp, #160
    stp x19, x20, [sp]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    .endm
    .macro restore_registers
    ldp x19, x20, [sp]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    .endm

    .text
    .globl heddle_switch_stack
    .hidden heddle_switch_stack
    .type heddle_switch_stack, @function
    .p2align 5
heddle_switch_stack:
    .cfi_startproc
    save_registers
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    restore_registers
    mov x0, x2
    ret
    .cfi_endproc
    .size heddle_switch_stack, . - heddle_switch_stack

    .globl heddle_call_on_stack
    .hidden heddle_call_on_stack
    .type heddle_call_on_stack, @function
    .p2align 5
heddle_call_on_stack:
    .cfi_startproc
    save_registers
    mov x19, sp
    str x19, [x0]
    .cfi_undefined x30
    mov sp, x1
    mov x0, x3
    mov x29, xzr
    blr x2
    mov sp, x19
    restore_registers
    mov x0, #1
    ret
    .cfi_endproc
    .size heddle_call_on_stack, . - heddle_call_on_stack

    .globl heddle_call_recoverably
    .hidden heddle_call_recoverably
    .type heddle_call_recoverably, @function
    .p2align 5
heddle_call_recoverably:
    .cfi_startproc
    save_registers
    mov x19, sp
    str x19, [x0]
    .cfi_def_cfa x19, 160
    .cfi_offset x19, -160
    .cfi_offset x29, -80
    .cfi_offset x30, -72
    mov x0, x2
    blr x1
    mov sp, x19
    restore_registers
    mov x0, #1
    ret
    .cfi_endproc
    .size heddle_call_recoverably, . - heddle_call_recoverably

    .globl heddle_stack_entry
    .hidden heddle_stack_entry
    .type heddle_stack_entry, @function
    .p2align 5
heddle_stack_entry:
    .cfi_startproc
    .cfi_undefined x30
    blr x19
    brk #1
    .cfi_endproc
    .size heddle_stack_entry, . - heddle_stack_entry
)");
