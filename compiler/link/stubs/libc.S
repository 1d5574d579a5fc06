// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the C library that code generation and the builtin library may call; see libm.S.
  .text
  .irp name, memcpy, memmove, memset, memcmp, bcmp, sched_yield
  .globl \name
  .type \name, @function
\name:
  .size \name, 0
  .endr
  .section .note.GNU-stack, "", @progbits
