// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers for copy_strided.h: copies elements at a stride of `step` bytes to consecutive addresses.
// Each function copies as many of the remaining elements as it can.
//
// With a stride of two, four or eight elements: wide loads and a conversion to narrower integers;
// with other small strides: wide loads and shuffles. These read the bytes between the elements, but
// none before the first or after the last. Otherwise: scalar loads and vector stores.

// Copies `times` elements per iteration, each the low part of a WIDER integer; stops before the
// last element.
#define GATHER_BY_CONVERSION(ELEMENTS, WIDER, times)                                               \
  NO_UNROLL for (; left->count > times; left->count -= times) {                                    \
    WIDER wide;                                                                                    \
    LOAD(wide, left->from);                                                                        \
    const ELEMENTS narrow = __builtin_convertvector(wide, ELEMENTS);                               \
    STORE(left->to, narrow);                                                                       \
    left->to += sizeof(narrow);                                                                    \
    left->from += sizeof(wide);                                                                    \
  }

// Sixteen elements from four vectors.
#define GATHER_QUARTERS(V)                                                                         \
  NO_UNROLL for (; left->count > 16; left->count -= 16) {                                          \
    V a, b, c, d;                                                                                  \
    __heddle_copy_fetch(left->from, left->ahead, step, 16);                                        \
    LOAD(a, left->from);                                                                           \
    LOAD(b, left->from + sizeof(V));                                                               \
    LOAD(c, left->from + 2 * sizeof(V));                                                           \
    LOAD(d, left->from + 3 * sizeof(V));                                                           \
    const V low = __builtin_shufflevector(a, b, 0, 4, 8, 12, 16, 20, 24, 28, -1, -1, -1, -1, -1,   \
                                          -1, -1, -1);                                             \
    const V high = __builtin_shufflevector(c, d, 0, 4, 8, 12, 16, 20, 24, 28, -1, -1, -1, -1, -1,  \
                                           -1, -1, -1);                                            \
    const V all = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20,   \
                                          21, 22, 23);                                             \
    STORE(left->to, all);                                                                          \
    left->to += sizeof(V);                                                                         \
    left->from += 4 * sizeof(V);                                                                   \
  }

// A vector of elements at an odd stride: no two of them have the same lane number, so blends of
// their vectors collect them in one vector, and one shuffle orders them. LANES is the vector of
// lane numbers, of type L, INVERSE the inverse of the stride modulo the number of lanes, ORDER the
// shuffle mask. Only for elements of 4 bytes, of which a vector has few enough, does software
// prefetching help.
#define GATHER_ODD(V, L, LANES, COUNT, DISTANCE, INVERSE, ORDER)                                   \
  NO_UNROLL for (; left->count > COUNT; left->count -= COUNT) {                                    \
    V all, next;                                                                                   \
    if (sizeof(all[0]) == 4)                                                                       \
      __heddle_copy_fetch(left->from, left->ahead, step, COUNT);                                   \
    LOAD(all, left->from);                                                                         \
    _Pragma("unroll") for (int i = 1; i < DISTANCE; ++i) {                                         \
      LOAD(next, left->from + i * sizeof(V));                                                      \
      const L in = LANES * (L)(INVERSE) % (L)(COUNT) * (L)(DISTANCE) / (L)(COUNT);                 \
      all = __builtin_convertvector(in, V) == (V)(i) ? next : all;                                 \
    }                                                                                              \
    const V ordered = __builtin_shufflevector(all, all, ORDER);                                    \
    STORE(left->to, ordered);                                                                      \
    left->to += sizeof(V);                                                                         \
    left->from += DISTANCE * sizeof(V);                                                            \
  }
#define THIRDS_OF_4 0, 3, 2, 1
#define THIRDS_OF_8 0, 3, 6, 1, 4, 7, 2, 5
#define THIRDS_OF_16 0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13
#define THIRDS_OF_32                                                                               \
  0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 2, 5, 8, 11,    \
      14, 17, 20, 23, 26, 29
#define THIRDS_OF_64                                                                               \
  0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, 48, 51, 54, 57, 60, 63, 2, 5, 8, 11, \
      14, 17, 20, 23, 26, 29, 32, 35, 38, 41, 44, 47, 50, 53, 56, 59, 62, 1, 4, 7, 10, 13, 16, 19, \
      22, 25, 28, 31, 34, 37, 40, 43, 46, 49, 52, 55, 58, 61
#define FIFTHS_OF_16 0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11
#define FIFTHS_OF_32                                                                               \
  0, 5, 10, 15, 20, 25, 30, 3, 8, 13, 18, 23, 28, 1, 6, 11, 16, 21, 26, 31, 4, 9, 14, 19, 24, 29,  \
      2, 7, 12, 17, 22, 27
#define FIFTHS_OF_64                                                                               \
  0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 1, 6, 11, 16, 21, 26, 31, 36, 41, 46, 51, 56,  \
      61, 2, 7, 12, 17, 22, 27, 32, 37, 42, 47, 52, 57, 62, 3, 8, 13, 18, 23, 28, 33, 38, 43, 48,  \
      53, 58, 63, 4, 9, 14, 19, 24, 29, 34, 39, 44, 49, 54, 59
#define SEVENTHS_OF_16 0, 7, 14, 5, 12, 3, 10, 1, 8, 15, 6, 13, 4, 11, 2, 9
#define SEVENTHS_OF_32                                                                             \
  0, 7, 14, 21, 28, 3, 10, 17, 24, 31, 6, 13, 20, 27, 2, 9, 16, 23, 30, 5, 12, 19, 26, 1, 8, 15,   \
      22, 29, 4, 11, 18, 25
#define SEVENTHS_OF_64                                                                             \
  0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 6, 13, 20, 27, 34, 41, 48, 55, 62, 5, 12, 19, 26, 33, 40,  \
      47, 54, 61, 4, 11, 18, 25, 32, 39, 46, 53, 60, 3, 10, 17, 24, 31, 38, 45, 52, 59, 2, 9, 16,  \
      23, 30, 37, 44, 51, 58, 1, 8, 15, 22, 29, 36, 43, 50, 57

// Eight elements from the first part of one vector, as long as the load stays within the source.
#define GATHER_EIGHT(V, stride)                                                                    \
  NO_UNROLL for (; left->count >= 8 && (left->count - 1) * step >= sizeof(V); left->count -= 8) {  \
    V wide;                                                                                        \
    LOAD(wide, left->from);                                                                        \
    const __auto_type eight =                                                                      \
        __builtin_shufflevector(wide, wide, 0, stride, 2 * stride, 3 * stride, 4 * stride,         \
                                5 * stride, 6 * stride, 7 * stride);                               \
    STORE(left->to, eight);                                                                        \
    left->to += sizeof(eight);                                                                     \
    left->from += 8 * step;                                                                        \
  }

// A vector of elements, every second one of two vectors; the numbers are their lanes.
#define GATHER_PAIRS(V, COUNT, ...)                                                                \
  NO_UNROLL for (; left->count > COUNT; left->count -= COUNT) {                                    \
    V a, b;                                                                                        \
    LOAD(a, left->from);                                                                           \
    LOAD(b, left->from + sizeof(V));                                                               \
    const V all = __builtin_shufflevector(a, b, __VA_ARGS__);                                      \
    STORE(left->to, all);                                                                          \
    left->to += sizeof(V);                                                                         \
    left->from += 2 * sizeof(V);                                                                   \
  }

// The lane numbers of a vector.
#define LANES_4 (ulong4)(0, 1, 2, 3)
#define LANES_8 (ulong8)(0, 1, 2, 3, 4, 5, 6, 7)
#define LANES_16 (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define LANES_32                                                                                   \
  (Shorts32)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, \
             24, 25, 26, 27, 28, 29, 30, 31)
#define LANES_64                                                                                   \
  (Shorts64)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, \
             24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44,   \
             45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63)

// 64 bytes of elements at another small stride, on CPUs with masked blends and full shuffles, if
// the stride is a constant.
bool __heddle_copy_collects_1(ulong step);
bool __heddle_copy_collects_2(ulong step);
Bytes64 __heddle_copy_collect_1(Bytes from, ulong step);
Shorts32 __heddle_copy_collect_2(Bytes from, ulong step);
#define GATHER_COLLECTED(SIZE, V)                                                                  \
  if (__heddle_copy_collects_##SIZE(step))                                                         \
    NO_UNROLL for (; left->count > sizeof(V) / SIZE; left->count -= sizeof(V) / SIZE) {            \
      const V values = __heddle_copy_collect_##SIZE(left->from, step);                             \
      STORE(left->to, values);                                                                     \
      left->to += sizeof(V);                                                                       \
      left->from += sizeof(V) / SIZE * step;                                                       \
    }

HELPER void gather_near_1(Strided* left, ulong step) {
  if (step == 2) {
    GATHER_BY_CONVERSION(Bytes64, Shorts64, 64)
  } else if (step == 4) {
    GATHER_BY_CONVERSION(Bytes32, Ints32, 32)
  } else if (step == 8) {
    GATHER_BY_CONVERSION(uchar16, ulong16, 16)
  } else if (step == 3) {
    GATHER_ODD(Bytes64, Shorts64, LANES_64, 64, 3, 43, THIRDS_OF_64)
  } else if (step == 5) {
    GATHER_ODD(Bytes64, Shorts64, LANES_64, 64, 5, 13, FIFTHS_OF_64)
    GATHER_EIGHT(Bytes64, 5)
  } else if (step == 6) {
    GATHER_COLLECTED(1, Bytes64)
    GATHER_EIGHT(Bytes64, 6)
  } else if (step == 7) {
    GATHER_ODD(Bytes64, Shorts64, LANES_64, 64, 7, 55, SEVENTHS_OF_64)
    GATHER_EIGHT(Bytes64, 7)
  } else {
    GATHER_COLLECTED(1, Bytes64)
  }
}
HELPER void gather_near_2(Strided* left, ulong step) {
  if (step == 4) {
    GATHER_BY_CONVERSION(Shorts32, Ints32, 32)
  } else if (step == 8) {
    GATHER_BY_CONVERSION(ushort16, ulong16, 16)
  } else if (step == 6) {
    GATHER_ODD(Shorts32, Shorts32, LANES_32, 32, 3, 11, THIRDS_OF_32)
  } else if (step == 10) {
    GATHER_ODD(Shorts32, Shorts32, LANES_32, 32, 5, 13, FIFTHS_OF_32)
    GATHER_EIGHT(Shorts64, 5)
  } else if (step == 12) {
    GATHER_COLLECTED(2, Shorts32)
    GATHER_EIGHT(Shorts64, 6)
  } else if (step == 14) {
    GATHER_ODD(Shorts32, Shorts32, LANES_32, 32, 7, 23, SEVENTHS_OF_32)
    GATHER_EIGHT(Shorts64, 7)
  } else {
    GATHER_COLLECTED(2, Shorts32)
  }
}
HELPER void gather_near_4(Strided* left, ulong step) {
  if (step == 8) {
    GATHER_BY_CONVERSION(uint16, ulong16, 16)
  } else if (step == 12) {
    GATHER_ODD(uint16, uint16, LANES_16, 16, 3, 11, THIRDS_OF_16)
  } else if (step == 16) {
    GATHER_QUARTERS(uint16)
  } else if (step == 20) {
    GATHER_ODD(uint16, uint16, LANES_16, 16, 5, 13, FIFTHS_OF_16)
  } else if (step == 28) {
    GATHER_ODD(uint16, uint16, LANES_16, 16, 7, 7, SEVENTHS_OF_16)
  }
}
HELPER void gather_near_8(Strided* left, ulong step) {
  if (step == 16) {
    GATHER_PAIRS(ulong8, 8, 0, 2, 4, 6, 8, 10, 12, 14)
  } else if (step == 24 && __heddle_copy_has_masks()) {
    GATHER_ODD(ulong8, ulong8, LANES_8, 8, 3, 3, THIRDS_OF_8)
  } else if (step == 24) {
    GATHER_ODD(ulong4, ulong4, LANES_4, 4, 3, 3, THIRDS_OF_4)
  }
}
HELPER void gather_near_16(Strided* left, ulong step) {
  if (step == 32) {
    GATHER_PAIRS(ulong8, 4, 0, 1, 4, 5, 8, 9, 12, 13)
  }
}

// Elements at a large stride, with the CPU's gather instructions on parts of PART bytes. Hardware
// prefetchers follow one instruction with a constant stride, but not several that alternate.
uint16 __heddle_copy_gather_4(Bytes from, int16 offsets);
ulong8 __heddle_copy_gather_8(Bytes from, int8 offsets);
HELPER void gather_far_1(Strided* left, ulong step) {}
HELPER void gather_far_2(Strided* left, ulong step) {}
HELPER void gather_far_4(Strided* left, ulong step) {
  const int16 offsets = FAR_OFFSETS_4 * (int)step;
  NO_UNROLL for (; left->count >= 16; left->count -= 16) {
    const uint16 values = __heddle_copy_gather_4(left->from, offsets);
    STORE(left->to, values);
    left->to += sizeof(values);
    left->from += step * 16;
  }
}
// A store between two gathers would take 25 % longer.
HELPER void gather_far_8(Strided* left, ulong step) {
  const int8 offsets = FAR_OFFSETS_8 * (int)step;
  NO_UNROLL for (; left->count >= 16; left->count -= 16) {
    const ulong8 first = __heddle_copy_gather_8(left->from, offsets);
    const ulong8 second = __heddle_copy_gather_8(left->from + step * 8, offsets);
    STORE(left->to, first);
    STORE(left->to + sizeof(first), second);
    left->to += sizeof(first) + sizeof(second);
    left->from += step * 16;
  }
}
HELPER void gather_far_16(Strided* left, ulong step) {
  NO_UNROLL for (; left->count >= 4; left->count -= 4) {
    ulong2 a, b, c, d;
    LOAD(a, left->from);
    LOAD(b, left->from + step);
    LOAD(c, left->from + step * 2);
    LOAD(d, left->from + step * 3);
    STORE(left->to, a);
    STORE(left->to + 16, b);
    STORE(left->to + 32, c);
    STORE(left->to + 48, d);
    left->to += 64;
    left->from += step * 4;
  }
}

// Elements at any stride, with scalar loads in address order, in which hardware prefetchers detect
// the stream. Small elements are inserted into vectors, with one instruction each: then enough
// loads are in flight that software prefetching costs more than it gains.
typedef uchar Unaligned_uchar;
typedef ushort Unaligned_ushort __attribute__((aligned(1)));
typedef uint Unaligned_uint __attribute__((aligned(1)));
#define FOUR_OF(T, place)                                                                          \
  ((T##4)(*(const Unaligned_##T*)(place), *(const Unaligned_##T*)(place + step),                   \
          *(const Unaligned_##T*)(place + step * 2), *(const Unaligned_##T*)(place + step3)))
#define EIGHT_OF(T, place) ((T##8)(FOUR_OF(T, place), FOUR_OF(T, (place + step * 4))))
// One or two bytes from each cache line: scalar loads and stores take 0.7 to 1.0 of the time of
// vector inserts (varying between processes) if the lines are cached. At other strides they are
// slower.
#define GATHER_LINES(T, FOURS)                                                                     \
  if (step == 64) {                                                                                \
    NO_UNROLL for (; turns != 0; --turns) {                                                        \
      _Pragma("unroll") for (int four = 0; four < FOURS; ++four) {                                 \
        MOVE(T, to, from);                                                                         \
        MOVE(T, to + sizeof(T), from + step);                                                      \
        MOVE(T, to + 2 * sizeof(T), from + step * 2);                                              \
        MOVE(T, to + 3 * sizeof(T), from + step3);                                                 \
        to += 4 * sizeof(T);                                                                       \
        from += step * 4;                                                                          \
      }                                                                                            \
    }                                                                                              \
    return;                                                                                        \
  }
HELPER void gather_turns_1(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {
  GATHER_LINES(uchar, 4)
  NO_UNROLL for (; turns != 0; --turns) {
    const Bytes upper = from + step * 8;
    const uchar16 values = (uchar16)(EIGHT_OF(uchar, from), EIGHT_OF(uchar, upper));
    STORE(to, values);
    to += sizeof(values);
    from = upper + step * 8;
  }
}
HELPER void gather_turns_2(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {
  GATHER_LINES(ushort, 2)
  NO_UNROLL for (; turns != 0; --turns) {
    const ushort8 values = EIGHT_OF(ushort, from);
    STORE(to, values);
    to += sizeof(values);
    from += step * 8;
  }
}
HELPER void gather_turns_4(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {
  NO_UNROLL for (; turns != 0; --turns) {
    const uint4 values = FOUR_OF(uint, from);
    STORE(to, values);
    to += sizeof(values);
    from += step * 4;
  }
}
// A load and a load of a vector's upper half, which code generation emits only for doubles.
HELPER void gather_turns_8(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {
  NO_UNROLL for (; turns != 0; --turns) {
    double a, b, c, d;
    LOAD(a, from);
    LOAD(b, from + step);
    const double2 low = (double2)(a, b);
    STORE(to, low);
    LOAD(c, from + step * 2);
    LOAD(d, from + step3);
    const double2 high = (double2)(c, d);
    STORE(to + sizeof(low), high);
    to += 2 * sizeof(low);
    from += step * 4;
  }
}
HELPER void gather_turns_16(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {
  NO_UNROLL for (; turns != 0; --turns) {
    MOVE(ulong2, to, from);
    to += 16;
    from += step;
  }
}
