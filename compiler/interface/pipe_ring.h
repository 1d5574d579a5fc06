// A pipe as kernels and the runtime both see it (OpenCL C 6.15.14): a ring of packets. Read by C++
// and, as OpenCL C, by builtins/pipes.cl, which has the operations.
//
// Positions count packets from the pipe's creation and never wrap; packet `p` lies in slot
// p & mask. A reservation takes [claimed, claimed + n) of its side with one compare-and-swap. Its
// commit is one store: the end of the reservation, into the side's mark for its first slot. Whoever
// claims on the other side follows the marks from where somebody last stopped (`seen`), each
// telling where the next reservation begins, as far as all are committed. So writers may claim up
// to the end of what the readers have committed plus max_packets, readers up to the end of what the
// writers have. What a slot's mark was in an earlier or later round is never within max_packets of
// the position, and so is told apart.
#ifndef HEDDLE_PIPE_RING_H
#define HEDDLE_PIPE_RING_H

#ifdef __OPENCL_C_VERSION__
typedef uint heddle_u32;
typedef ulong heddle_u64;
#define HEDDLE_RING_POINTER(T) __global T*
#else
#include <stdint.h>
typedef uint32_t heddle_u32;
typedef uint64_t heddle_u64;
#define HEDDLE_RING_POINTER(T) T*
#endif

// Counters that different threads write lie this far apart: two cache lines, which processors
// fetch in pairs.
#define HEDDLE_RING_LINE 128

// Limits, reported by the device.
#define HEDDLE_PIPE_MAX_ARGUMENTS 128
#define HEDDLE_PIPE_MAX_PACKET_BYTES 16384
// What a work-item may always have; reservations are positions, not entries of a table, so that
// nothing but the room in the pipe limits them.
#define HEDDLE_PIPE_MAX_RESERVATIONS 65536

// The readers or the writers.
struct heddle_pipe_side {
  heddle_u64 claimed; // end of the newest reservation
  heddle_u64 seen;    // how far the other side's commits have been followed; never too high
  unsigned char fill[HEDDLE_RING_LINE - 16];
};

struct heddle_pipe_ring {
  heddle_u32 packet_bytes;
  heddle_u32 max_packets;
  heddle_u64 mask; // slots - 1; slots are a power of two
  HEDDLE_RING_POINTER(unsigned char) packets;
  HEDDLE_RING_POINTER(heddle_u64) marks[2]; // readers', writers': the last end, by slot
  unsigned char fill1[HEDDLE_RING_LINE - 40];
  heddle_u32 launches[2]; // that read, that write now; the runtime's
  heddle_u32 failures;    // calls that found the pipe full or empty; about
  unsigned char fill2[HEDDLE_RING_LINE - 12];
  struct heddle_pipe_side side[2]; // readers, writers
};

enum { heddle_pipe_readers, heddle_pipe_writers };

// A reservation id: the position modulo 2^36 and, above it, the number of packets plus one. Null
// and CLK_NULL_RESERVE_ID (all ones) are invalid.
#define HEDDLE_RESERVE_POSITION_BITS 36
#define HEDDLE_RESERVE_MOST_PACKETS ((1u << 28) - 3)

#endif
