// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of lines: __heddle_call_once_copy_lines(to, from, bytes, lines, to_step, from_step) copies
// `lines` lines of `bytes` bytes each, with pitches to_step and from_step; ..._copy_planes copies
// planes of lines. For async_copy.cl.
//
// All lines have the same length, so the way to copy one is chosen once: as one element, as two
// moves that may overlap, in 64-byte parts of which the last may overlap, or with memcpy. If the
// length is a constant when a kernel is built, only that variant is compiled
// (compiler/async_copy/specialize_copies.h).

#include "copy_strided.h"

// Longer lines are copied with a call each.
#define LONG_LINE 1024

// Up to this size a memcpy of constant size is a few moves.
#define LARGEST_OF_MOVES 128

// Up to this size 64-byte moves are faster than memcpy, which has more cases to dispatch.
#define SHORT_COPY 16384

// Not inlined: the compiler does not vectorize a kernel that calls memcpy itself.
__attribute__((noinline)) void __heddle_call_once_copy_bytes(Bytes to, Bytes from, ulong bytes);
void __heddle_call_once_copy_bytes(Bytes to, Bytes from, ulong bytes) {
  if (bytes < 256 || bytes > SHORT_COPY) {
    __builtin_memcpy(to, from, bytes);
    return;
  }
  // The first and the last part are stored unaligned, the parts between them to aligned addresses.
  ulong8 a, b, c, d;
  const Bytes last_to = to + bytes - sizeof(a), last_from = from + bytes - sizeof(a);
  LOAD(a, from);
  STORE(to, a);
  const ulong first = sizeof(a) - ((ulong)to & (sizeof(a) - 1));
  to += first;
  from += first;
  ulong left = (ulong)(last_to - to + sizeof(a) - 1) / sizeof(a);
  for (; left >= 4; left -= 4) {
    LOAD(a, from);
    LOAD(b, from + sizeof(a));
    LOAD(c, from + 2 * sizeof(a));
    LOAD(d, from + 3 * sizeof(a));
    STORE(to, a);
    STORE(to + sizeof(a), b);
    STORE(to + 2 * sizeof(a), c);
    STORE(to + 3 * sizeof(a), d);
    to += 4 * sizeof(a);
    from += 4 * sizeof(a);
  }
  for (; left != 0; --left) {
    LOAD(a, from);
    STORE(to, a);
    to += sizeof(a);
    from += sizeof(a);
  }
  LOAD(a, last_from);
  STORE(last_to, a);
}

#define EACH_LINE(MOVE)                                                                            \
  for (; lines != 0; --lines) {                                                                    \
    MOVE;                                                                                          \
    to += to_step;                                                                                 \
    from += from_step;                                                                             \
  }

// sizeof(T) <= bytes <= 2 * sizeof(T)
#define MOVE_TWO(T)                                                                                \
  do {                                                                                             \
    T first, last;                                                                                 \
    LOAD(first, from);                                                                             \
    LOAD(last, from + (bytes - sizeof(T)));                                                        \
    STORE(to, first);                                                                              \
    STORE(to + (bytes - sizeof(T)), last);                                                         \
  } while (false)

HELPER void move_parts(Bytes to, Bytes from, ulong bytes) {
  ulong8 part;
  for (ulong at = 0; at + sizeof(part) < bytes; at += sizeof(part)) {
    LOAD(part, from + at);
    STORE(to + at, part);
  }
  LOAD(part, from + (bytes - sizeof(part)));
  STORE(to + (bytes - sizeof(part)), part);
}

__attribute__((noinline)) void __heddle_call_once_copy_lines(Bytes to, Bytes from, ulong bytes,
                                                             ulong lines, ulong to_step,
                                                             ulong from_step);
void __heddle_call_once_copy_lines(Bytes to, Bytes from, ulong bytes, ulong lines, ulong to_step,
                                   ulong from_step) {
  const bool is_known = __heddle_copy_is_known(bytes);
  if (bytes == to_step && bytes == from_step) {
    bytes *= lines;
    lines = 1;
  }
  if (bytes == 0 || lines == 0)
    return;
  if (bytes > LONG_LINE || lines == 1 || (is_known && bytes <= LARGEST_OF_MOVES)) {
    EACH_LINE(__builtin_memcpy(to, from, bytes))
    return;
  }
  switch (bytes) {
  case 1:
    EACH_LINE(MOVE(uchar, to, from))
    return;
  case 2:
    EACH_LINE(MOVE(ushort, to, from))
    return;
  case 4:
    EACH_LINE(MOVE(uint, to, from))
    return;
  case 8:
    EACH_LINE(MOVE(ulong, to, from))
    return;
  case 16:
    EACH_LINE(MOVE(ulong2, to, from))
    return;
  case 32:
    EACH_LINE(MOVE(ulong4, to, from))
    return;
  case 64:
    EACH_LINE(MOVE(ulong8, to, from))
    return;
  default:
    break;
  }
  if (bytes > 128)
    EACH_LINE(move_parts(to, from, bytes))
  else if (bytes > 64)
    EACH_LINE(MOVE_TWO(ulong8))
  else if (bytes > 32)
    EACH_LINE(MOVE_TWO(ulong4))
  else if (bytes > 16)
    EACH_LINE(MOVE_TWO(ulong2))
  else if (bytes > 8)
    EACH_LINE(MOVE_TWO(ulong))
  else if (bytes > 4)
    EACH_LINE(MOVE_TWO(uint))
  else
    EACH_LINE(MOVE_TWO(ushort))
}

__attribute__((noinline)) void
__heddle_call_once_copy_planes(Bytes to, Bytes from, ulong bytes, ulong lines, ulong planes,
                               ulong to_line_step, ulong to_plane_step, ulong from_line_step,
                               ulong from_plane_step);
void __heddle_call_once_copy_planes(Bytes to_plane, Bytes from_plane, ulong bytes, ulong all_lines,
                                    ulong planes, ulong to_step, ulong to_plane_step,
                                    ulong from_step, ulong from_plane_step) {
  // Planes of one line, or of contiguous lines, are copied as lines.
  if (all_lines == 1 || (bytes == to_step && bytes == from_step)) {
    __heddle_call_once_copy_lines(to_plane, from_plane, bytes * all_lines, planes, to_plane_step,
                                  from_plane_step);
    return;
  }
  const bool are_moves = __heddle_copy_is_known(bytes) && bytes <= LARGEST_OF_MOVES;
  for (; planes != 0; --planes) {
    if (are_moves) {
      Bytes to = to_plane, from = from_plane;
      ulong lines = all_lines;
      EACH_LINE(__builtin_memcpy(to, from, bytes))
    } else {
      __heddle_call_once_copy_lines(to_plane, from_plane, bytes, all_lines, to_step, from_step);
    }
    to_plane += to_plane_step;
    from_plane += from_plane_step;
  }
}
