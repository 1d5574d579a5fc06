// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// shuffle and shuffle2, OpenCL C 6.15.14. Without loops: a constant mask becomes a shufflevector
// after inlining.
#include "builtins.h"

// One component of the result: only the low bits of the mask are used.
#define PICK(S, M, x, mask) x[mask.S & (M - 1)]
#define PICK2(S, M, x, y, mask) (mask.S & M ? y[mask.S & (M - 1)] : x[mask.S & (M - 1)])

// T: component type, U: that of the mask, N: components of the result, M: of the operands.
#define SHUFFLE(N, T, U, M)                                                                        \
  OVERLOAD T##N shuffle(T##M x, U##N mask) { return (T##N)(EACH_##N(PICK, M, x, mask)); }          \
  OVERLOAD T##N shuffle2(T##M x, T##M y, U##N mask) {                                              \
    return (T##N)(EACH_##N(PICK2, M, x, y, mask));                                                 \
  }
#define SHUFFLE_FROM(T, U, M)                                                                      \
  SHUFFLE(2, T, U, M) SHUFFLE(4, T, U, M) SHUFFLE(8, T, U, M) SHUFFLE(16, T, U, M)
#define SHUFFLE_ALL(T, U)                                                                          \
  SHUFFLE_FROM(T, U, 2) SHUFFLE_FROM(T, U, 4) SHUFFLE_FROM(T, U, 8) SHUFFLE_FROM(T, U, 16)
SHUFFLE_ALL(char, uchar)
SHUFFLE_ALL(uchar, uchar)
SHUFFLE_ALL(short, ushort)
SHUFFLE_ALL(ushort, ushort)
SHUFFLE_ALL(half, ushort)
SHUFFLE_ALL(int, uint)
SHUFFLE_ALL(uint, uint)
SHUFFLE_ALL(float, uint)
SHUFFLE_ALL(long, ulong)
SHUFFLE_ALL(ulong, ulong)
SHUFFLE_ALL(double, ulong)
