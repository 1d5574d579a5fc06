// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory layout of a pipe (OpenCL C 6.15.14): a ring of packets. Included by C++ and, as OpenCL
// C, by builtins/pipes.cl, which has the operations.
//
// Positions count packets from the pipe's creation and never wrap; packet `p` is in slot p & mask.
// A reservation claims [claimed, claimed + n) of its side with one compare-and-swap. Its commit is
// one store of the reservation's end into the side's mark of its first slot. A claim on the other
// side follows the marks from the last known position (`seen`); each mark is the position of the
// next reservation, as far as all are committed. Writers may claim up to max_packets beyond what
// the readers have committed, readers up to what the writers have committed. A mark from an earlier
// or later lap of the ring is never within max_packets of the position, so it is distinguishable.
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

// The distance of counters that different threads write: two cache lines, which processors prefetch
// in pairs.
#define HEDDLE_RING_LINE 128

// Limits, reported by the device.
#define HEDDLE_PIPE_MAX_ARGUMENTS 128
#define HEDDLE_PIPE_MAX_PACKET_BYTES 16384
// The reported minimum. Reservations are positions, not table entries, so only the size of the pipe
// limits their number.
#define HEDDLE_PIPE_MAX_RESERVATIONS 65536

// The readers or the writers.
struct heddle_pipe_side {
  heddle_u64 claimed; // end of the newest reservation
  heddle_u64 seen;    // lower bound of the position committed by the other side
  unsigned char fill[HEDDLE_RING_LINE - 16];
};

struct heddle_pipe_ring {
  heddle_u32 packet_bytes;
  heddle_u32 max_packets;
  heddle_u64 mask; // slots - 1; slots are a power of two
  HEDDLE_RING_POINTER(unsigned char) packets;
  HEDDLE_RING_POINTER(heddle_u64)
  marks[2]; // of readers and writers: the end of the last reservation, by slot
  unsigned char fill1[HEDDLE_RING_LINE - 40];
  heddle_u32 launches[2]; // active launches that read and write; maintained by the runtime
  heddle_u32 failures;    // approximate number of calls that found the pipe full or empty
  unsigned char fill2[HEDDLE_RING_LINE - 12];
  struct heddle_pipe_side side[2]; // readers, writers
};

enum { heddle_pipe_readers, heddle_pipe_writers };

// A reservation id: the position modulo 2^36 and, above it, the number of packets plus one. Null
// and CLK_NULL_RESERVE_ID (all ones) are invalid.
#define HEDDLE_RESERVE_POSITION_BITS 36
#define HEDDLE_RESERVE_MOST_PACKETS ((1u << 28) - 3)

#endif
