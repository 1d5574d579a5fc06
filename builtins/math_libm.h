// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libm's functions under other names. Kernels are linked with libm, so these are resolved when a
// kernel is loaded.
#ifndef HEDDLE_MATH_LIBM_H
#define HEDDLE_MATH_LIBM_H

#define LIBM_UNARY(name)                                                                           \
  float __attribute__((const)) libm_##name##f(float) __asm__(#name "f");                           \
  double __attribute__((const)) libm_##name(double) __asm__(#name);
#define LIBM_BINARY(name)                                                                          \
  float __attribute__((const)) libm_##name##f(float, float) __asm__(#name "f");                    \
  double __attribute__((const)) libm_##name(double, double) __asm__(#name);

#endif
