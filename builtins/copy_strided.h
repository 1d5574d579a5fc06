// Copies of elements that lie apart: __heddle_call_once_copy_strided_SIZE(to, from, count, to_step,
// from_step), steps in bytes of which one is the size and the other of any value, pointers aligned
// to nothing, for elements of 1, 2, 4, 8 and 16 bytes. For async_copy.cl.
//
// A gather at two, four or eight times the element's size is wide loads and a conversion to
// narrower integers; at other small distances it is wide loads and shuffles. They read what lies
// between the elements, but nothing in front of the first or behind the last. Anything else is
// moved element by element, four a turn.

// Whether the number is known when a kernel is built (compiler/passes/specialise_copies.h).
bool __heddle_copy_is_known(ulong number);

#define LOAD(value, place) __builtin_memcpy(&(value), place, sizeof(value))
#define STORE(place, value) __builtin_memcpy(place, &(value), sizeof(value))

// `times` elements at a time, each the low end of a WIDER integer; stops before the last element.
#define GATHER_BY_CONVERSION(ELEMENTS, WIDER, times)                                               \
  for (; count > times; count -= times) {                                                          \
    WIDER wide;                                                                                    \
    LOAD(wide, from);                                                                              \
    const ELEMENTS narrow = __builtin_convertvector(wide, ELEMENTS);                               \
    STORE(to, narrow);                                                                             \
    to += sizeof(narrow);                                                                          \
    from += sizeof(wide);                                                                          \
  }

// Sixteen elements from three vectors.
#define GATHER_THIRDS(V)                                                                           \
  for (; count > 16; count -= 16) {                                                                \
    V a, b, c;                                                                                     \
    LOAD(a, from);                                                                                 \
    LOAD(b, from + sizeof(V));                                                                     \
    LOAD(c, from + 2 * sizeof(V));                                                                 \
    const V most =                                                                                 \
        __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, -1, -1, -1, -1, -1); \
    const V all =                                                                                  \
        __builtin_shufflevector(most, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);    \
    STORE(to, all);                                                                                \
    to += sizeof(V);                                                                               \
    from += 3 * sizeof(V);                                                                         \
  }

// Sixteen elements from four vectors.
#define GATHER_QUARTERS(V)                                                                         \
  for (; count > 16; count -= 16) {                                                                \
    V a, b, c, d;                                                                                  \
    LOAD(a, from);                                                                                 \
    LOAD(b, from + sizeof(V));                                                                     \
    LOAD(c, from + 2 * sizeof(V));                                                                 \
    LOAD(d, from + 3 * sizeof(V));                                                                 \
    const V low = __builtin_shufflevector(a, b, 0, 4, 8, 12, 16, 20, 24, 28, -1, -1, -1, -1, -1,   \
                                          -1, -1, -1);                                             \
    const V high = __builtin_shufflevector(c, d, 0, 4, 8, 12, 16, 20, 24, 28, -1, -1, -1, -1, -1,  \
                                           -1, -1, -1);                                            \
    const V all = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20,   \
                                          21, 22, 23);                                             \
    STORE(to, all);                                                                                \
    to += sizeof(V);                                                                               \
    from += 4 * sizeof(V);                                                                         \
  }

// As many elements as a vector has, at an odd distance: no two of them lie in lanes of the same
// number, so blending the vectors they lie in brings all together, and one shuffle into order.
// LANES are the numbers of the lanes in a vector L, INVERSE the distance's modulo their number,
// ORDER where each element is.
#define GATHER_ODD(V, L, LANES, COUNT, DISTANCE, INVERSE, ORDER)                                   \
  for (; count > COUNT; count -= COUNT) {                                                          \
    V all, next;                                                                                   \
    LOAD(all, from);                                                                               \
    _Pragma("unroll") for (int i = 1; i < DISTANCE; ++i) {                                         \
      LOAD(next, from + i * sizeof(V));                                                            \
      const L in = LANES * (L)(INVERSE) % (L)(COUNT) * (L)(DISTANCE) / (L)(COUNT);                 \
      all = __builtin_convertvector(in, V) == (V)(i) ? next : all;                                 \
    }                                                                                              \
    const V ordered = __builtin_shufflevector(all, all, ORDER);                                    \
    STORE(to, ordered);                                                                            \
    to += sizeof(V);                                                                               \
    from += DISTANCE * sizeof(V);                                                                  \
  }
#define THIRDS_OF_4 0, 3, 2, 1
#define FIFTHS_OF_16 0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11
#define SEVENTHS_OF_16 0, 7, 14, 5, 12, 3, 10, 1, 8, 15, 6, 13, 4, 11, 2, 9
#define FIFTHS_OF_32                                                                               \
  0, 5, 10, 15, 20, 25, 30, 3, 8, 13, 18, 23, 28, 1, 6, 11, 16, 21, 26, 31, 4, 9, 14, 19, 24, 29,  \
      2, 7, 12, 17, 22, 27
#define SEVENTHS_OF_32                                                                             \
  0, 7, 14, 21, 28, 3, 10, 17, 24, 31, 6, 13, 20, 27, 2, 9, 16, 23, 30, 5, 12, 19, 26, 1, 8, 15,   \
      22, 29, 4, 11, 18, 25
#define FIFTHS_OF_64                                                                               \
  0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 1, 6, 11, 16, 21, 26, 31, 36, 41, 46, 51, 56,  \
      61, 2, 7, 12, 17, 22, 27, 32, 37, 42, 47, 52, 57, 62, 3, 8, 13, 18, 23, 28, 33, 38, 43, 48,  \
      53, 58, 63, 4, 9, 14, 19, 24, 29, 34, 39, 44, 49, 54, 59
#define SEVENTHS_OF_64                                                                             \
  0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 6, 13, 20, 27, 34, 41, 48, 55, 62, 5, 12, 19, 26, 33, 40,  \
      47, 54, 61, 4, 11, 18, 25, 32, 39, 46, 53, 60, 3, 10, 17, 24, 31, 38, 45, 52, 59, 2, 9, 16,  \
      23, 30, 37, 44, 51, 58, 1, 8, 15, 22, 29, 36, 43, 50, 57

// Eight elements that lie in the first part of one vector, as long as that does not reach too far.
#define GATHER_EIGHT(V, stride)                                                                    \
  for (; count >= 8 && (count - 1) * step >= sizeof(V); count -= 8) {                              \
    V wide;                                                                                        \
    LOAD(wide, from);                                                                              \
    const __auto_type eight =                                                                      \
        __builtin_shufflevector(wide, wide, 0, stride, 2 * stride, 3 * stride, 4 * stride,         \
                                5 * stride, 6 * stride, 7 * stride);                               \
    STORE(to, eight);                                                                              \
    to += sizeof(eight);                                                                           \
    from += 8 * step;                                                                              \
  }

// Eight elements from two vectors.
#define GATHER_PAIRS(V)                                                                            \
  for (; count > 8; count -= 8) {                                                                  \
    V a, b;                                                                                        \
    LOAD(a, from);                                                                                 \
    LOAD(b, from + sizeof(V));                                                                     \
    const V even = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);                       \
    STORE(to, even);                                                                               \
    to += sizeof(V);                                                                               \
    from += 2 * sizeof(V);                                                                         \
  }

typedef uchar Bytes32 __attribute__((ext_vector_type(32)));
typedef uchar Bytes64 __attribute__((ext_vector_type(64)));
typedef ushort Shorts32 __attribute__((ext_vector_type(32)));
typedef ushort Shorts64 __attribute__((ext_vector_type(64)));
typedef uint Ints32 __attribute__((ext_vector_type(32)));

// The numbers of a vector's lanes.
#define LANES_16 (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define LANES_32                                                                                   \
  (Shorts32)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, \
             24, 25, 26, 27, 28, 29, 30, 31)
#define LANES_64                                                                                   \
  (Shorts64)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, \
             24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44,   \
             45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63)

HELPER void gather_1(Bytes to, Bytes from, ulong count, ulong step, ulong* done) {
  const ulong all = count;
  if (step == 2) {
    GATHER_BY_CONVERSION(Bytes64, Shorts64, 64)
  } else if (step == 4) {
    GATHER_BY_CONVERSION(Bytes32, Ints32, 32)
  } else if (step == 8) {
    GATHER_BY_CONVERSION(uchar16, ulong16, 16)
  } else if (step == 3) {
    GATHER_THIRDS(uchar16)
  } else if (step == 5) {
    GATHER_ODD(Bytes64, Shorts64, LANES_64, 64, 5, 13, FIFTHS_OF_64)
    GATHER_EIGHT(Bytes64, 5)
  } else if (step == 6) {
    GATHER_EIGHT(Bytes64, 6)
  } else if (step == 7) {
    GATHER_ODD(Bytes64, Shorts64, LANES_64, 64, 7, 55, SEVENTHS_OF_64)
    GATHER_EIGHT(Bytes64, 7)
  }
  *done = all - count;
}
HELPER void gather_2(Bytes to, Bytes from, ulong count, ulong step, ulong* done) {
  const ulong all = count;
  if (step == 4) {
    GATHER_BY_CONVERSION(Shorts32, Ints32, 32)
  } else if (step == 8) {
    GATHER_BY_CONVERSION(ushort16, ulong16, 16)
  } else if (step == 6) {
    GATHER_THIRDS(ushort16)
  } else if (step == 10) {
    GATHER_ODD(Shorts32, Shorts32, LANES_32, 32, 5, 13, FIFTHS_OF_32)
    GATHER_EIGHT(Shorts64, 5)
  } else if (step == 12) {
    GATHER_EIGHT(Shorts64, 6)
  } else if (step == 14) {
    GATHER_ODD(Shorts32, Shorts32, LANES_32, 32, 7, 23, SEVENTHS_OF_32)
    GATHER_EIGHT(Shorts64, 7)
  }
  *done = all - count;
}
HELPER void gather_4(Bytes to, Bytes from, ulong count, ulong step, ulong* done) {
  const ulong all = count;
  if (step == 8) {
    GATHER_BY_CONVERSION(uint16, ulong16, 16)
  } else if (step == 12) {
    GATHER_THIRDS(uint16)
  } else if (step == 16) {
    GATHER_QUARTERS(uint16)
  } else if (step == 20) {
    GATHER_ODD(uint16, uint16, LANES_16, 16, 5, 13, FIFTHS_OF_16)
  } else if (step == 28) {
    GATHER_ODD(uint16, uint16, LANES_16, 16, 7, 7, SEVENTHS_OF_16)
  }
  *done = all - count;
}
HELPER void gather_8(Bytes to, Bytes from, ulong count, ulong step, ulong* done) {
  const ulong all = count;
  if (step == 16) {
    GATHER_PAIRS(ulong8)
  } else if (step == 24) {
    GATHER_ODD(ulong4, ulong4, (ulong4)(0, 1, 2, 3), 4, 3, 3, THIRDS_OF_4)
  }
  *done = all - count;
}
HELPER void gather_16(Bytes to, Bytes from, ulong count, ulong step, ulong* done) { *done = 0; }

// Four elements a turn. That three steps are a multiple of one is not for the compiler to know
// unless it knows the step: it would make each address from the one before it, a chain as long as
// the copy.
#define FOUR_AT_A_TIME(T, SIZE)                                                                    \
  HELPER void gather_turns_##SIZE(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {    \
    for (; turns != 0; --turns) {                                                                  \
      T a, b, c, d;                                                                                \
      LOAD(a, from);                                                                               \
      LOAD(b, from + step);                                                                        \
      LOAD(c, from + step * 2);                                                                    \
      LOAD(d, from + step3);                                                                       \
      STORE(to, a);                                                                                \
      STORE(to + SIZE, b);                                                                         \
      STORE(to + 2 * SIZE, c);                                                                     \
      STORE(to + 3 * SIZE, d);                                                                     \
      to += 4 * SIZE;                                                                              \
      from += step * 4;                                                                            \
    }                                                                                              \
  }                                                                                                \
  HELPER void scatter_turns_##SIZE(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {   \
    for (; turns != 0; --turns) {                                                                  \
      T a, b, c, d;                                                                                \
      LOAD(a, from);                                                                               \
      LOAD(b, from + SIZE);                                                                        \
      LOAD(c, from + 2 * SIZE);                                                                    \
      LOAD(d, from + 3 * SIZE);                                                                    \
      STORE(to, a);                                                                                \
      STORE(to + step, b);                                                                         \
      STORE(to + step * 2, c);                                                                     \
      STORE(to + step3, d);                                                                        \
      to += step * 4;                                                                              \
      from += 4 * SIZE;                                                                            \
    }                                                                                              \
  }                                                                                                \
  __attribute__((noinline)) void __heddle_call_gather_##SIZE(Bytes to, Bytes from, ulong turns,    \
                                                             ulong step, ulong step3);             \
  void __heddle_call_gather_##SIZE(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {   \
    gather_turns_##SIZE(to, from, turns, step, step3);                                             \
  }                                                                                                \
  __attribute__((noinline)) void __heddle_call_scatter_##SIZE(Bytes to, Bytes from, ulong turns,   \
                                                              ulong step, ulong step3);            \
  void __heddle_call_scatter_##SIZE(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {  \
    scatter_turns_##SIZE(to, from, turns, step, step3);                                            \
  }

// Elements that lie far apart by the CPU's gathers and scatters: it fetches lines ahead for one
// instruction that goes through memory in steps, but not for several of these that take turns.
bool __heddle_copy_has_scatter(void);
uint8 __heddle_copy_gather_4(Bytes from, ulong8 offsets);
ulong8 __heddle_copy_gather_8(Bytes from, ulong8 offsets);
void __heddle_copy_scatter_4(Bytes to, ulong8 offsets, uint8 values);
void __heddle_copy_scatter_8(Bytes to, ulong8 offsets, ulong8 values);
#define FAR_1 (~0ul)
#define FAR_2 (~0ul)
#define FAR_4 128
#define FAR_8 128
#define FAR_16 512
// Elements at once, of the type V, by instructions for parts of PART bytes.
#define FAR_APART(SIZE, PART, V, AT_ONCE, OFFSETS)                                                 \
  HELPER ulong gather_far_##SIZE(Bytes to, Bytes from, ulong count, ulong step) {                  \
    const ulong8 offsets = OFFSETS;                                                                \
    ulong left = count;                                                                            \
    for (; left >= AT_ONCE; left -= AT_ONCE) {                                                     \
      const V values = __heddle_copy_gather_##PART(from, offsets);                                 \
      STORE(to, values);                                                                           \
      to += sizeof(V);                                                                             \
      from += step * AT_ONCE;                                                                      \
    }                                                                                              \
    return count - left;                                                                           \
  }                                                                                                \
  HELPER ulong scatter_far_##SIZE(Bytes to, Bytes from, ulong count, ulong step) {                 \
    const ulong8 offsets = OFFSETS;                                                                \
    ulong left = count;                                                                            \
    for (; left >= AT_ONCE; left -= AT_ONCE) {                                                     \
      V values;                                                                                    \
      LOAD(values, from);                                                                          \
      __heddle_copy_scatter_##PART(to, offsets, values);                                           \
      to += step * AT_ONCE;                                                                        \
      from += sizeof(V);                                                                           \
    }                                                                                              \
    return count - left;                                                                           \
  }
#define NEVER_FAR(SIZE)                                                                            \
  HELPER ulong gather_far_##SIZE(Bytes to, Bytes from, ulong count, ulong step) { return 0; }      \
  HELPER ulong scatter_far_##SIZE(Bytes to, Bytes from, ulong count, ulong step) { return 0; }
NEVER_FAR(1)
NEVER_FAR(2)
FAR_APART(4, 4, uint8, 8, (ulong8)(0, 1, 2, 3, 4, 5, 6, 7) * step)
FAR_APART(8, 8, ulong8, 8, (ulong8)(0, 1, 2, 3, 4, 5, 6, 7) * step)
FAR_APART(16, 8, ulong8, 4,
          (ulong8)(0, 0, 1, 1, 2, 2, 3, 3) * step + (ulong8)(0, 8, 0, 8, 0, 8, 0, 8))

// One of the steps is SIZE.
#define COPY_STRIDED(T, SIZE)                                                                      \
  FOUR_AT_A_TIME(T, SIZE)                                                                          \
  __attribute__((noinline)) void __heddle_call_once_copy_strided_##SIZE(                           \
      Bytes to, Bytes from, ulong count, ulong to_step, ulong from_step);                          \
  void __heddle_call_once_copy_strided_##SIZE(Bytes to, Bytes from, ulong count, ulong to_step,    \
                                              ulong from_step) {                                   \
    ulong done = 0;                                                                                \
    const ulong turns = count / 4;                                                                 \
    const ulong step = to_step == SIZE ? from_step : to_step;                                      \
    const bool is_known = __heddle_copy_is_known(to_step) && __heddle_copy_is_known(from_step);    \
    const bool is_gather = to_step == SIZE;                                                        \
    if (step == SIZE) {                                                                            \
      __builtin_memcpy(to, from, count * SIZE);                                                    \
      return;                                                                                      \
    }                                                                                              \
    if (step >= FAR_##SIZE && __heddle_copy_has_scatter())                                         \
      done = is_gather ? gather_far_##SIZE(to, from, count, step)                                  \
                       : scatter_far_##SIZE(to, from, count, step);                                \
    else if (is_gather)                                                                            \
      gather_##SIZE(to, from, count, step, &done);                                                 \
    if (done == 0) {                                                                               \
      if (is_known && is_gather)                                                                   \
        gather_turns_##SIZE(to, from, turns, step, step * 3);                                      \
      else if (is_known)                                                                           \
        scatter_turns_##SIZE(to, from, turns, step, step * 3);                                     \
      else if (is_gather)                                                                          \
        __heddle_call_gather_##SIZE(to, from, turns, step, step * 3);                              \
      else                                                                                         \
        __heddle_call_scatter_##SIZE(to, from, turns, step, step * 3);                             \
      done = turns * 4;                                                                            \
    }                                                                                              \
    to += done * to_step;                                                                          \
    from += done * from_step;                                                                      \
    for (count -= done; count != 0; --count) {                                                     \
      T value;                                                                                     \
      LOAD(value, from);                                                                           \
      STORE(to, value);                                                                            \
      to += to_step;                                                                               \
      from += from_step;                                                                           \
    }                                                                                              \
  }
COPY_STRIDED(uchar, 1)
COPY_STRIDED(ushort, 2)
COPY_STRIDED(uint, 4)
COPY_STRIDED(ulong, 8)
COPY_STRIDED(ulong2, 16)
