// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters for copy_strided.h: copies consecutive elements to addresses at a stride of `step`
// bytes. As in copy_gather.h each function copies as many of the remaining elements as it can, and
// no loop is unrolled.

// 64 bytes of elements at a small stride, with masked vector stores: one store for all elements of
// a line. On CPUs with masked stores, if the stride is a constant.
bool __heddle_copy_spreads_1(ulong step);
bool __heddle_copy_spreads_2(ulong step);
bool __heddle_copy_spreads_4(ulong step);
bool __heddle_copy_spreads_8(ulong step);
void __heddle_copy_spread_1(Bytes to, ulong step, Bytes64 values);
void __heddle_copy_spread_2(Bytes to, ulong step, Shorts32 values);
void __heddle_copy_spread_4(Bytes to, ulong step, uint16 values);
void __heddle_copy_spread_8(Bytes to, ulong step, ulong8 values);
#define SCATTER_NEAR(SIZE, V)                                                                      \
  HELPER void scatter_near_##SIZE(Strided* left, ulong step) {                                     \
    if (__heddle_copy_spreads_##SIZE(step))                                                        \
      NO_UNROLL for (; left->count >= sizeof(V) / SIZE; left->count -= sizeof(V) / SIZE) {         \
        V values;                                                                                  \
        LOAD(values, left->from);                                                                  \
        __heddle_copy_spread_##SIZE(left->to, step, values);                                       \
        left->to += sizeof(V) / SIZE * step;                                                       \
        left->from += sizeof(V);                                                                   \
      }                                                                                            \
  }
SCATTER_NEAR(1, Bytes64)
SCATTER_NEAR(2, Shorts32)
SCATTER_NEAR(4, uint16)
SCATTER_NEAR(8, ulong8)

// Elements are extracted from a vector and stored one by one: scalar loads would wait for earlier
// stores with equal low address bits (4K aliasing).
#define SCATTER_ONE(T, place, one)                                                                 \
  do {                                                                                             \
    const T element = one;                                                                         \
    STORE(place, element);                                                                         \
  } while (false)
HELPER void scatter_near_16(Strided* left, ulong step) {
  if (step == 32)
    NO_UNROLL for (; left->count >= 4; left->count -= 4) {
      ulong8 values;
      LOAD(values, left->from);
      SCATTER_ONE(ulong2, left->to, values.lo.lo);
      SCATTER_ONE(ulong2, left->to + step, values.lo.hi);
      SCATTER_ONE(ulong2, left->to + step * 2, values.hi.lo);
      SCATTER_ONE(ulong2, left->to + step * 3, values.hi.hi);
      left->to += step * 4;
      left->from += sizeof(values);
    }
}

// Elements at a large stride, with the CPU's scatter instructions on parts of PART bytes.
void __heddle_copy_scatter_4(Bytes to, int16 offsets, uint16 values);
void __heddle_copy_scatter_8(Bytes to, int8 offsets, ulong8 values);
#define SCATTER_FAR(SIZE, PART, V, OFFSETS, AT_ONCE)                                               \
  HELPER void scatter_far_##SIZE(Strided* left, ulong step) {                                      \
    const OFFSETS offsets = FAR_OFFSETS_##SIZE * (int)step + FAR_PARTS_##SIZE;                     \
    NO_UNROLL for (; left->count >= AT_ONCE; left->count -= AT_ONCE) {                             \
      V values;                                                                                    \
      LOAD(values, left->from);                                                                    \
      __heddle_copy_scatter_##PART(left->to, offsets, values);                                     \
      left->to += step * AT_ONCE;                                                                  \
      left->from += sizeof(V);                                                                     \
    }                                                                                              \
  }
HELPER void scatter_far_1(Strided* left, ulong step) {}
HELPER void scatter_far_2(Strided* left, ulong step) {}
SCATTER_FAR(4, 4, uint16, int16, 16)
SCATTER_FAR(8, 8, ulong8, int8, 8)
SCATTER_FAR(16, 8, ulong8, int8, 4)

// Elements at any stride.
#define SCATTER_FOUR(T, place, four)                                                               \
  do {                                                                                             \
    SCATTER_ONE(T, place, four.x);                                                                 \
    SCATTER_ONE(T, place + step, four.y);                                                          \
    SCATTER_ONE(T, place + step * 2, four.z);                                                      \
    SCATTER_ONE(T, place + step3, four.w);                                                         \
  } while (false)
#define SCATTER_EIGHT(T, eight)                                                                    \
  do {                                                                                             \
    const Bytes upper = to + step * 4;                                                             \
    SCATTER_FOUR(T, to, eight.lo);                                                                 \
    SCATTER_FOUR(T, upper, eight.hi);                                                              \
    to += step * 8;                                                                                \
  } while (false)
HELPER void scatter_turns_1(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {
  NO_UNROLL for (; turns != 0; --turns) {
    uchar16 values;
    LOAD(values, from);
    SCATTER_EIGHT(uchar, values.lo);
    SCATTER_EIGHT(uchar, values.hi);
    from += sizeof(values);
  }
}
HELPER void scatter_turns_2(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {
  NO_UNROLL for (; turns != 0; --turns) {
    ushort8 values;
    LOAD(values, from);
    SCATTER_EIGHT(ushort, values);
    from += sizeof(values);
  }
}
HELPER void scatter_turns_4(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {
  NO_UNROLL for (; turns != 0; --turns) {
    uint4 values;
    LOAD(values, from);
    SCATTER_FOUR(uint, to, values);
    to += step * 4;
    from += sizeof(values);
  }
}
HELPER void scatter_turns_8(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {
  NO_UNROLL for (; turns != 0; --turns) {
    double4 values;
    LOAD(values, from);
    SCATTER_FOUR(double, to, values);
    to += step * 4;
    from += sizeof(values);
  }
}
HELPER void scatter_turns_16(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {
  NO_UNROLL for (; turns != 0; --turns) {
    MOVE(ulong2, to, from);
    to += step;
    from += 16;
  }
}
