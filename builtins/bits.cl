// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extended bit operations (cl_khr_extended_bit_ops, core in OpenCL C 3.1): the scalar overloads.
// A field may be empty or fill the whole value; one that does not fit is undefined.
#include "builtins.h"

#define BIT_FUNCTIONS(T, U, S, BITS)                                                               \
  HELPER U field_mask_##T(uint count) {                                                            \
    return count == 0 ? (U)0 : (U)((U) ~(U)0 >> ((BITS - count) & (BITS - 1)));                    \
  }                                                                                                \
  OVERLOAD T bitfield_insert(T base, T insert, uint offset, uint count) {                          \
    offset &= BITS - 1;                                                                            \
    U mask = (U)(field_mask_##T(count) << offset);                                                 \
    return (T)(((U)base & ~mask) | (((U)insert << offset) & mask));                                \
  }                                                                                                \
  OVERLOAD U bitfield_extract_unsigned(T base, uint offset, uint count) {                          \
    return (U)((U)base >> (offset & (BITS - 1))) & field_mask_##T(count);                          \
  }                                                                                                \
  OVERLOAD S bitfield_extract_signed(T base, uint offset, uint count) {                            \
    U top = (U)((U)base << ((BITS - offset - count) & (BITS - 1)));                                \
    return count == 0 ? (S)0 : (S)((S)top >> ((BITS - count) & (BITS - 1)));                       \
  }                                                                                                \
  OVERLOAD T bit_reverse(T x) { return (T)__builtin_elementwise_bitreverse((U)x); }
#define BITS_OF_SIGNED(T, U, BITS) BIT_FUNCTIONS(T, U, T, BITS)
FOR_SIGNED(BITS_OF_SIGNED)
BIT_FUNCTIONS(uchar, uchar, char, 8)
BIT_FUNCTIONS(ushort, ushort, short, 16)
BIT_FUNCTIONS(uint, uint, int, 32)
BIT_FUNCTIONS(ulong, ulong, long, 64)
