// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relational functions, OpenCL C 6.15.6. True is 1 for scalars and -1 for vectors, so both are
// defined.
#include "builtins.h"

// T: argument, R: result, I: signed integers with the width and components of T. ABS and EXPONENT
// mask the magnitude and the exponent; SMALLEST is the smallest normal number.
#define CLASSIFY(T, R, I, ABS, EXPONENT, SMALLEST)                                                 \
  OVERLOAD R isequal(T x, T y) { return x == y; }                                                  \
  OVERLOAD R isnotequal(T x, T y) { return x != y; }                                               \
  OVERLOAD R isgreater(T x, T y) { return x > y; }                                                 \
  OVERLOAD R isgreaterequal(T x, T y) { return x >= y; }                                           \
  OVERLOAD R isless(T x, T y) { return x < y; }                                                    \
  OVERLOAD R islessequal(T x, T y) { return x <= y; }                                              \
  OVERLOAD R islessgreater(T x, T y) { return (x < y) | (x > y); }                                 \
  OVERLOAD R isordered(T x, T y) { return (x == x) & (y == y); }                                   \
  OVERLOAD R isunordered(T x, T y) { return (x != x) | (y != y); }                                 \
  OVERLOAD R isnan(T x) { return x != x; }                                                         \
  OVERLOAD R isinf(T x) { return (as_##I(x) & (I)ABS) == (I)EXPONENT; }                            \
  OVERLOAD R isfinite(T x) { return (as_##I(x) & (I)ABS) < (I)EXPONENT; }                          \
  OVERLOAD R isnormal(T x) {                                                                       \
    I magnitude = as_##I(x) & (I)ABS;                                                              \
    return (magnitude >= (I)SMALLEST) & (magnitude < (I)EXPONENT);                                 \
  }                                                                                                \
  OVERLOAD R signbit(T x) { return as_##I(x) < (I)0; }

#define CLASSIFY_FLOAT(T, R, I) CLASSIFY(T, R, I, 0x7fffffff, 0x7f800000, 0x00800000)
#define CLASSIFY_DOUBLE(T, R, I)                                                                   \
  CLASSIFY(T, R, I, 0x7fffffffffffffff, 0x7ff0000000000000, 0x0010000000000000)
#define CLASSIFY_HALF(T, R, I) CLASSIFY(T, R, I, 0x7fff, 0x7c00, 0x0400)

#define CLASSIFY_WIDTH(N, ...)                                                                     \
  CLASSIFY_FLOAT(float##N, int##N, int##N)                                                         \
  CLASSIFY_DOUBLE(double##N, long##N, long##N)                                                     \
  CLASSIFY_HALF(half##N, short##N, short##N)
CLASSIFY_FLOAT(float, int, int)
CLASSIFY_DOUBLE(double, int, long)
CLASSIFY_HALF(half, int, short)
FOR_WIDTHS(CLASSIFY_WIDTH)

// any and all test the most significant bit of each component.
#define OR(a, b) ((a) | (b))
#define AND(a, b) ((a) & (b))
#define ANY_ALL_WIDTH(N, T)                                                                        \
  OVERLOAD int any(T##N x) { return FOLD_##N(OR, x) < 0; }                                         \
  OVERLOAD int all(T##N x) { return FOLD_##N(AND, x) < 0; }
#define ANY_ALL(T, U, BITS)                                                                        \
  OVERLOAD int any(T x) { return x < 0; }                                                          \
  OVERLOAD int all(T x) { return x < 0; }                                                          \
  FOR_WIDTHS(ANY_ALL_WIDTH, T)
FOR_SIGNED(ANY_ALL)

// T: operands, S and U: signed and unsigned integers of the same width and components.
#define BITSELECT(T, U)                                                                            \
  OVERLOAD T bitselect(T a, T b, T c) {                                                            \
    U mask = as_##U(c);                                                                            \
    return as_##T((U)((as_##U(a) & ~mask) | (as_##U(b) & mask)));                                  \
  }
#define SELECT_SCALAR(T, S, U)                                                                     \
  BITSELECT(T, U)                                                                                  \
  OVERLOAD T select(T a, T b, S c) { return c ? b : a; }                                           \
  OVERLOAD T select(T a, T b, U c) { return c ? b : a; }
#define SELECT_VECTOR(T, S, U)                                                                     \
  BITSELECT(T, U)                                                                                  \
  OVERLOAD T select(T a, T b, S c) { return c < (S)0 ? b : a; }                                    \
  OVERLOAD T select(T a, T b, U c) { return as_##S(c) < (S)0 ? b : a; }
#define SELECT_WIDTH(N, T, S, U) SELECT_VECTOR(T##N, S##N, U##N)
#define SELECT(T, S, U) SELECT_SCALAR(T, S, U) FOR_WIDTHS(SELECT_WIDTH, T, S, U)
SELECT(char, char, uchar)
SELECT(uchar, char, uchar)
SELECT(short, short, ushort)
SELECT(ushort, short, ushort)
SELECT(half, short, ushort)
SELECT(int, int, uint)
SELECT(uint, int, uint)
SELECT(float, int, uint)
SELECT(long, long, ulong)
SELECT(ulong, long, ulong)
SELECT(double, long, ulong)
