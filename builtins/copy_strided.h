// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided copies: __heddle_call_once_copy_strided_SIZE(to, from, count, to_step, from_step). The
// steps are strides in bytes; one of them equals the element size, the other has any value.
// Pointers need not be aligned. Elements have 1, 2, 4, 8 or 16 bytes. For async_copy.cl.

// Whether the number is a constant when a kernel is built
// (compiler/async_copy/specialize_copies.h).
bool __heddle_copy_is_known(ulong number);
// Whether the CPU has masked loads and stores, gathers and scatters.
bool __heddle_copy_has_masks(void);

#define LOAD(value, place) __builtin_memcpy(&(value), place, sizeof(value))
#define STORE(place, value) __builtin_memcpy(place, &(value), sizeof(value))
#define MOVE(T, to, from)                                                                          \
  do {                                                                                             \
    T moved;                                                                                       \
    LOAD(moved, from);                                                                             \
    STORE(to, moved);                                                                              \
  } while (false)

// Hardware prefetchers follow an instruction with a small stride; unrolling would multiply the
// stride.
#define NO_UNROLL _Pragma("clang loop unroll(disable)")

typedef uchar Bytes32 __attribute__((ext_vector_type(32)));
typedef uchar Bytes64 __attribute__((ext_vector_type(64)));
typedef ushort Shorts32 __attribute__((ext_vector_type(32)));
typedef ushort Shorts64 __attribute__((ext_vector_type(64)));
typedef uint Ints32 __attribute__((ext_vector_type(32)));

// The remaining elements: destination, source, count.
typedef struct {
  Bytes to, from;
  ulong count;
  ulong ahead; // see __heddle_copy_fetch
} Strided;

// The prefetch distance, in bytes, of copies of `count` elements of `size` bytes; 0: no
// prefetching.
ulong __heddle_copy_ahead(ulong size, ulong step, ulong count);
// Prefetches the lines of `elements` elements at that distance from `from`.
void __heddle_copy_fetch(Bytes from, ulong ahead, ulong step, ulong elements);

// At these strides the CPU's gathers and scatters are faster, as long as 32-bit offsets suffice for
// one instruction (with 64-bit offsets it moves half as much in the same time). The offsets, in
// steps and in bytes.
#define IS_FAR_GATHER_1 false
#define IS_FAR_GATHER_2 false
#define IS_FAR_GATHER_4 (step >= 52 && step != 64)
#define IS_FAR_GATHER_8 (step >= 48)
#define IS_FAR_GATHER_16 (step >= 512)
#define IS_FAR_SCATTER_1 false
#define IS_FAR_SCATTER_2 false
#define IS_FAR_SCATTER_4 (step >= 48)
#define IS_FAR_SCATTER_8 (step >= 80)
#define IS_FAR_SCATTER_16 (step >= 512)
#define TOO_FAR (1ul << 27)
#define FAR_OFFSETS_4 (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define FAR_OFFSETS_8 (int8)(0, 1, 2, 3, 4, 5, 6, 7)
#define FAR_OFFSETS_16 (int8)(0, 0, 1, 1, 2, 2, 3, 3)
#define FAR_PARTS_4 0
#define FAR_PARTS_8 0
#define FAR_PARTS_16 (int8)(0, 8, 0, 8, 0, 8, 0, 8)

#include "copy_gather.h"
#include "copy_scatter.h"

// Hides from the compiler that this is a multiple of the step unless the step is a constant:
// otherwise it would compute each address from the preceding one, a dependency chain as long as the
// copy.
#define TURNS_OF_UNKNOWN_STEPS(WAY, SIZE)                                                          \
  __attribute__((noinline)) void __heddle_call_##WAY##_##SIZE(Bytes to, Bytes from, ulong turns,   \
                                                              ulong step, ulong step3);            \
  void __heddle_call_##WAY##_##SIZE(Bytes to, Bytes from, ulong turns, ulong step, ulong step3) {  \
    WAY##_turns_##SIZE(to, from, turns, step, step3);                                              \
  }

// An iteration copies TURN elements.
#define COPY_STRIDED(T, SIZE, GATHER_TURN, SCATTER_TURN)                                           \
  TURNS_OF_UNKNOWN_STEPS(gather, SIZE)                                                             \
  TURNS_OF_UNKNOWN_STEPS(scatter, SIZE)                                                            \
  __attribute__((noinline)) void __heddle_call_once_copy_strided_##SIZE(                           \
      Bytes to, Bytes from, ulong count, ulong to_step, ulong from_step);                          \
  void __heddle_call_once_copy_strided_##SIZE(Bytes to, Bytes from, ulong count, ulong to_step,    \
                                              ulong from_step) {                                   \
    const bool is_known = __heddle_copy_is_known(to_step) && __heddle_copy_is_known(from_step);    \
    const bool is_gather = to_step == SIZE;                                                        \
    const ulong step = is_gather ? from_step : to_step;                                            \
    if (step == SIZE) {                                                                            \
      __builtin_memcpy(to, from, count * SIZE);                                                    \
      return;                                                                                      \
    }                                                                                              \
    Strided left = {to, from, count, __heddle_copy_ahead(SIZE, from_step, count)};                 \
    const bool is_far = (is_gather ? IS_FAR_GATHER_##SIZE : IS_FAR_SCATTER_##SIZE) &&              \
                        step < TOO_FAR && __heddle_copy_has_masks();                               \
    if (is_far && is_gather)                                                                       \
      gather_far_##SIZE(&left, step);                                                              \
    else if (is_far)                                                                               \
      scatter_far_##SIZE(&left, step);                                                             \
    else if (is_gather)                                                                            \
      gather_near_##SIZE(&left, step);                                                             \
    else                                                                                           \
      scatter_near_##SIZE(&left, step);                                                            \
    const ulong turn = is_gather ? GATHER_TURN : SCATTER_TURN;                                     \
    const ulong turns = left.count / turn;                                                         \
    if (is_known && is_gather)                                                                     \
      gather_turns_##SIZE(left.to, left.from, turns, step, step * 3);                              \
    else if (is_known)                                                                             \
      scatter_turns_##SIZE(left.to, left.from, turns, step, step * 3);                             \
    else if (is_gather)                                                                            \
      __heddle_call_gather_##SIZE(left.to, left.from, turns, step, step * 3);                      \
    else                                                                                           \
      __heddle_call_scatter_##SIZE(left.to, left.from, turns, step, step * 3);                     \
    left.to += turns * turn * to_step;                                                             \
    left.from += turns * turn * from_step;                                                         \
    for (left.count %= turn; left.count != 0; --left.count) {                                      \
      MOVE(T, left.to, left.from);                                                                 \
      left.to += to_step;                                                                          \
      left.from += from_step;                                                                      \
    }                                                                                              \
  }
COPY_STRIDED(uchar, 1, 16, 16)
COPY_STRIDED(ushort, 2, 8, 8)
COPY_STRIDED(uint, 4, 4, 4)
COPY_STRIDED(ulong, 8, 4, 4)
COPY_STRIDED(ulong2, 16, 1, 1)
