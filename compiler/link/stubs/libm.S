// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of the math library that kernels may refer to, without code: what LLD reads in place
// of the user's libm.so.6, whose own functions are bound when a kernel object is opened.
  .macro function name
  .globl \name
  .type \name, @function
\name:
  .size \name, 0
  .endm
  .text
  .irp name, acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, ceil, copysign, cos, cosh, erf, erfc, exp, exp10, exp2, expm1, fabs, fdim, floor, fma, fmax, fmin, fmod, frexp, hypot, ilogb, ldexp, lgamma, llrint, llround, log, log10, log1p, log2, logb, lrint, lround, modf, nan, nearbyint, nextafter, pow, remainder, remquo, rint, round, roundeven, scalbn, sin, sincos, sinh, sqrt, tan, tanh, tgamma, trunc
  function \name
  function \name\()f
  .endr
  function lgamma_r
  function lgammaf_r
  .section .note.GNU-stack, "", @progbits
