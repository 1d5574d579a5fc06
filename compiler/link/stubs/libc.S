// The functions of the C library that code generation may call; see libm.S.
  .text
  .irp name, memcpy, memmove, memset, memcmp, bcmp
  .globl \name
  .type \name, @function
\name:
  .size \name, 0
  .endr
  .section .note.GNU-stack, "", @progbits
