// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the math functions: attributes, bits, and the arithmetic layer.
//
// The functions are scalar and have no branches and tables where possible, because the vectorizer
// widens them. A rare slow path is one `if`. Nothing is contracted implicitly: FMA is a fused
// operation, MAD may be fused or not.
#ifndef HEDDLE_MATH_COMMON_H
#define HEDDLE_MATH_COMMON_H

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

// A builtin that depends only on its arguments, and one that also writes through a pointer.
#define MATH __attribute__((overloadable, const))
#define MATH_OUT __attribute__((overloadable))
#define HELPER static inline __attribute__((always_inline, overloadable))

// Rounds once. On CPUs without FMA it is a call of libm; of halves, see ExpandHalfPass.
#define FMA(a, b, c) __builtin_elementwise_fma(a, b, c)
#define SQRT(x) __builtin_elementwise_sqrt(x)
#define ABS(x) __builtin_elementwise_abs(x)
#define COPYSIGN(x, s) __builtin_elementwise_copysign(x, s)
#define FLOOR(x) __builtin_elementwise_floor(x)
#define CEIL(x) __builtin_elementwise_ceil(x)
#define TRUNC(x) __builtin_elementwise_trunc(x)
#define RINT(x) __builtin_elementwise_rint(x)

// Rounds once or twice, whichever is faster on the CPU.
HELPER float MAD(float a, float b, float c) {
#pragma clang fp contract(on)
  return a * b + c;
}
HELPER double MAD(double a, double b, double c) {
#pragma clang fp contract(on)
  return a * b + c;
}
HELPER half MAD(half a, half b, half c) {
#pragma clang fp contract(on)
  return a * b + c;
}

// c0 + c1 x + c2 x^2 ... from the lowest coefficient. math_fit.py finds the coefficients.
#define POLY2(x, c0, c1) MAD(c1, x, c0)
#define POLY3(x, c0, ...) MAD(POLY2(x, __VA_ARGS__), x, c0)
#define POLY4(x, c0, ...) MAD(POLY3(x, __VA_ARGS__), x, c0)
#define POLY5(x, c0, ...) MAD(POLY4(x, __VA_ARGS__), x, c0)
#define POLY6(x, c0, ...) MAD(POLY5(x, __VA_ARGS__), x, c0)
#define POLY7(x, c0, ...) MAD(POLY6(x, __VA_ARGS__), x, c0)
#define POLY8(x, c0, ...) MAD(POLY7(x, __VA_ARGS__), x, c0)
#define POLY9(x, c0, ...) MAD(POLY8(x, __VA_ARGS__), x, c0)
#define POLY10(x, c0, ...) MAD(POLY9(x, __VA_ARGS__), x, c0)
#define POLY11(x, c0, ...) MAD(POLY10(x, __VA_ARGS__), x, c0)
#define POLY12(x, c0, ...) MAD(POLY11(x, __VA_ARGS__), x, c0)
#define POLY13(x, c0, ...) MAD(POLY12(x, __VA_ARGS__), x, c0)
#define POLY14(x, c0, ...) MAD(POLY13(x, __VA_ARGS__), x, c0)
#define POLY15(x, c0, ...) MAD(POLY14(x, __VA_ARGS__), x, c0)
#define POLY16(x, c0, ...) MAD(POLY15(x, __VA_ARGS__), x, c0)
#define POLY17(x, c0, ...) MAD(POLY16(x, __VA_ARGS__), x, c0)
#define POLY18(x, c0, ...) MAD(POLY17(x, __VA_ARGS__), x, c0)
#define POLY19(x, c0, ...) MAD(POLY18(x, __VA_ARGS__), x, c0)
#define POLY20(x, c0, ...) MAD(POLY19(x, __VA_ARGS__), x, c0)
#define POLY21(x, c0, ...) MAD(POLY20(x, __VA_ARGS__), x, c0)
#define POLY22(x, c0, ...) MAD(POLY21(x, __VA_ARGS__), x, c0)
#define POLY23(x, c0, ...) MAD(POLY22(x, __VA_ARGS__), x, c0)
#define POLY24(x, c0, ...) MAD(POLY23(x, __VA_ARGS__), x, c0)

// The same with x2 = x^2: one operation more, but only half of them wait for each other.
#define PAIRS2(x, x2, c0, c1) MAD(c1, x, c0)
#define PAIRS3(x, x2, c0, c1, c2) MAD(c2, x2, MAD(c1, x, c0))
#define PAIRS4(x, x2, c0, c1, ...) MAD(PAIRS2(x, x2, __VA_ARGS__), x2, MAD(c1, x, c0))
#define PAIRS5(x, x2, c0, c1, ...) MAD(PAIRS3(x, x2, __VA_ARGS__), x2, MAD(c1, x, c0))
#define PAIRS6(x, x2, c0, c1, ...) MAD(PAIRS4(x, x2, __VA_ARGS__), x2, MAD(c1, x, c0))
#define PAIRS7(x, x2, c0, c1, ...) MAD(PAIRS5(x, x2, __VA_ARGS__), x2, MAD(c1, x, c0))
#define PAIRS8(x, x2, c0, c1, ...) MAD(PAIRS6(x, x2, __VA_ARGS__), x2, MAD(c1, x, c0))
#define PAIRS9(x, x2, c0, c1, ...) MAD(PAIRS7(x, x2, __VA_ARGS__), x2, MAD(c1, x, c0))
#define PAIRS10(x, x2, c0, c1, ...) MAD(PAIRS8(x, x2, __VA_ARGS__), x2, MAD(c1, x, c0))
#define PAIRS11(x, x2, c0, c1, ...) MAD(PAIRS9(x, x2, __VA_ARGS__), x2, MAD(c1, x, c0))
#define PAIRS12(x, x2, c0, c1, ...) MAD(PAIRS10(x, x2, __VA_ARGS__), x2, MAD(c1, x, c0))

#define INF_F as_float(0x7f800000)
#define INF_D as_double(0x7ff0000000000000)
#define NAN_F as_float(0x7fc00000)
#define NAN_D as_double(0x7ff8000000000000)

// 2 to the power n, n in [-126, 127] and [-1022, 1023].
HELPER float exp2i(int n) { return as_float((n + 127) << 23); }
HELPER double exp2i(long n) { return as_double((n + 1023) << 52); }

// The exponent of a number that is finite and not zero. A subnormal is scaled to a normal number
// first.
HELPER int exponent_of(float x) {
  uint bits = as_uint(x) & 0x7fffffff;
  uint scaled = as_uint(as_float(bits) * 0x1p24f);
  return bits < 0x800000 ? (int)(scaled >> 23) - 151 : (int)(bits >> 23) - 127;
}
HELPER int exponent_of(double x) {
  ulong bits = as_ulong(x) & 0x7fffffffffffffff;
  ulong scaled = as_ulong(as_double(bits) * 0x1p54);
  return bits < 0x10000000000000 ? (int)(scaled >> 52) - 1077 : (int)(bits >> 52) - 1023;
}

// A condition for arguments that are rare: vectorized code branches around what depends on it,
// however short that is.
#define RARELY(condition) __builtin_expect(condition, 0)

// The half overload, defined by the float function, which is precise enough.
#define HALF_UNARY(name)                                                                           \
  MATH half name(half x) { return (half)name((float)x); }
#define HALF_BINARY(name)                                                                          \
  MATH half name(half x, half y) { return (half)name((float)x, (float)y); }

// F(address space) for each address space a result can be written to.
#define FOR_SPACES(F, ...)                                                                         \
  F(private, __VA_ARGS__) F(global, __VA_ARGS__) F(local, __VA_ARGS__) F(generic, __VA_ARGS__)

#endif
