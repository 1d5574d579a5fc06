// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes, OpenCL C 6.15.14: the functions that Clang calls for read_pipe, reserve_write_pipe, ... on
// the ring of compiler/interface/pipe_ring.h. Lock-free: no call waits for another work-item.
//
// Clang's pipe and reserve_id_t are opaque types, which the compiler converts to pointers; the
// functions here take pointers. They fail if the packet size is not the pipe's, so a kernel
// declared with another packet type accesses nothing.
//
// Claiming is not inlined (prefix __heddle_call_): kernels remain small, and the vectorizer
// instantiates a call for each lane instead of loops around atomics. Copying packets is inlined,
// because the size is a constant there.
#include "../compiler/interface/pipe_ring.h"
#include "lanes.h"

typedef __private struct heddle_pipe_ring* Ring;
typedef __private char* ReserveId;
typedef __generic uchar* Packet;

// A slot in the group's local memory, shared by its reservations
// (compiler/lower/builtin_local_memory.h).
__local ulong* __heddle_group_reservation(void);
int sched_yield(void);

#define NO_RESERVATION ((ReserveId)(~0ul))
#define NO_ROOM (~0ul)

// A kernel that polls the pipe must let the other side run, even if there are fewer processors than
// kernels.
static void failed(Ring ring) {
  const uint failures = __atomic_load_n(&ring->failures, __ATOMIC_RELAXED) + 1;
  __atomic_store_n(&ring->failures, failures, __ATOMIC_RELAXED);
  if (failures % 32 == 0)
    sched_yield();
}

#define RING_LOAD(place) __atomic_load_n(place, __ATOMIC_ACQUIRE)
#define RING_STORE(place, value) __atomic_store_n(place, value, __ATOMIC_RELEASE)
#define RING_SWAP(place, expected, value)                                                          \
  __atomic_compare_exchange_n(place, expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
#define RING_FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#include "pipe_counters.h"

// Claims `count` packets for each lane whose bit is set, all with one exchange, and returns the
// position of each lane's first packet, or NO_ROOM for the last lanes if there are not enough
// packets. The vectorizer calls it for the active lanes of a vector in place of
// __heddle_call_claim.
__attribute__((noinline)) void __heddle_call_claim_lanes(Ring ring, int who, uint count,
                                                         ulong lanes, __private ulong* at);
void __heddle_call_claim_lanes(Ring ring, int who, uint count, ulong lanes, __private ulong* at) {
  ulong next = 0;
  uint left = claim_some(ring, who, count, (uint)popcount(lanes), &next);
  for (; lanes != 0; lanes &= lanes - 1) {
    at[ctz(lanes)] = left == 0 ? NO_ROOM : next;
    left -= left != 0;
    next += count;
  }
}

__attribute__((noinline)) ulong __heddle_call_claim(Ring ring, int who, uint count);
ulong __heddle_call_claim(Ring ring, int who, uint count) {
  ulong at;
  __heddle_call_claim_lanes(ring, who, count, 1, &at);
  return at;
}

HELPER Packet slot(Ring ring, ulong position, uint bytes) {
  return (Packet)(ring->packets + (position & ring->mask) * bytes);
}

HELPER ReserveId reserve(Ring ring, int who, uint count, uint bytes) {
  if (ring->packet_bytes != bytes || count > HEDDLE_RESERVE_MOST_PACKETS)
    return NO_RESERVATION;
  const ulong at = __heddle_call_claim(ring, who, count);
  if (at == NO_ROOM)
    return NO_RESERVATION;
  const ulong position = at & ((1ul << HEDDLE_RESERVE_POSITION_BITS) - 1);
  return (ReserveId)(position | (ulong)(count + 1) << HEDDLE_RESERVE_POSITION_BITS);
}

HELPER bool is_valid(ReserveId id) { return (ulong)id + 1 > 1; } // neither null

HELPER uint count_of(ReserveId id) { return (uint)((ulong)id >> HEDDLE_RESERVE_POSITION_BITS) - 1; }

// Only positions that are reserved and not committed: an id of another pipe must not undo commits.
HELPER void commit_reserved(Ring ring, int who, ReserveId id) {
  if (!is_valid(id))
    return;
  const uint count = count_of(id);
  const ulong claimed = RING_LOAD(&ring->side[who].claimed);
  const ulong back = (claimed - (ulong)id) & ((1ul << HEDDLE_RESERVE_POSITION_BITS) - 1);
  if (count != 0 && count <= back && back <= ring->max_packets && back <= claimed)
    commit(ring, who, claimed - back, count);
}

HELPER void copy(Packet to, const Packet from, uint bytes) { __builtin_memcpy(to, from, bytes); }

HELPER bool holds(Ring ring, ReserveId id, uint index, uint bytes) {
  return is_valid(id) && index < count_of(id) && ring->packet_bytes == bytes;
}

int __read_pipe_2(Ring ring, Packet packet, uint bytes, uint alignment) {
  if (ring->packet_bytes != bytes)
    return -1;
  const ulong at = __heddle_call_claim(ring, heddle_pipe_readers, 1);
  if (at == NO_ROOM)
    return -1;
  copy(packet, slot(ring, at, bytes), bytes);
  commit(ring, heddle_pipe_readers, at, 1);
  return 0;
}

int __write_pipe_2(Ring ring, const Packet packet, uint bytes, uint alignment) {
  if (ring->packet_bytes != bytes)
    return -1;
  const ulong at = __heddle_call_claim(ring, heddle_pipe_writers, 1);
  if (at == NO_ROOM)
    return -1;
  copy(slot(ring, at, bytes), packet, bytes);
  commit(ring, heddle_pipe_writers, at, 1);
  return 0;
}

int __read_pipe_4(Ring ring, ReserveId id, uint index, Packet packet, uint bytes, uint alignment) {
  if (!holds(ring, id, index, bytes))
    return -1;
  copy(packet, slot(ring, (ulong)id + index, bytes), bytes);
  return 0;
}

int __write_pipe_4(Ring ring, ReserveId id, uint index, const Packet packet, uint bytes,
                   uint alignment) {
  if (!holds(ring, id, index, bytes))
    return -1;
  copy(slot(ring, (ulong)id + index, bytes), packet, bytes);
  return 0;
}

ReserveId __reserve_read_pipe(Ring ring, uint count, uint bytes, uint alignment) {
  return reserve(ring, heddle_pipe_readers, count, bytes);
}
ReserveId __reserve_write_pipe(Ring ring, uint count, uint bytes, uint alignment) {
  return reserve(ring, heddle_pipe_writers, count, bytes);
}
void __commit_read_pipe(Ring ring, ReserveId id, uint bytes, uint alignment) {
  commit_reserved(ring, heddle_pipe_readers, id);
}
void __commit_write_pipe(Ring ring, ReserveId id, uint bytes, uint alignment) {
  commit_reserved(ring, heddle_pipe_writers, id);
}

// Retries for a while if a launch at the other end may make room, because otherwise many work-items
// would have to call again. Best effort.
HELPER ReserveId reserve_patiently(Ring ring, int who, uint count, uint bytes) {
  for (uint tries = 1;; ++tries) {
    const ReserveId id = reserve(ring, who, count, bytes);
    if (is_valid(id) || tries == 1024 || count > ring->max_packets ||
        __atomic_load_n(&ring->launches[!who], __ATOMIC_RELAXED) == 0)
      return id;
  }
}

// Sub-groups: the first lane reserves and commits, and broadcasts the id.
#define FIRST_OF_SUB_GROUP (__heddle_sub_group_local_id() == 0)
#define SUB_GROUP_SHARED(value) ((ReserveId)__heddle_sub_group_read_ulong((ulong)(value), 0))
#define SUB_GROUP_READY() __heddle_sub_group_barrier()

HELPER ReserveId reserve_for_sub_group(Ring ring, int who, uint count, uint bytes) {
  ReserveId id = NO_RESERVATION;
  if (FIRST_OF_SUB_GROUP)
    id = reserve_patiently(ring, who, count, bytes);
  return SUB_GROUP_SHARED(id);
}

HELPER void commit_for_sub_group(Ring ring, int who, ReserveId id) {
  SUB_GROUP_READY();
  if (FIRST_OF_SUB_GROUP)
    commit_reserved(ring, who, id);
}

ReserveId __sub_group_reserve_read_pipe(Ring ring, uint count, uint bytes, uint alignment) {
  return reserve_for_sub_group(ring, heddle_pipe_readers, count, bytes);
}
ReserveId __sub_group_reserve_write_pipe(Ring ring, uint count, uint bytes, uint alignment) {
  return reserve_for_sub_group(ring, heddle_pipe_writers, count, bytes);
}
void __sub_group_commit_read_pipe(Ring ring, ReserveId id, uint bytes, uint alignment) {
  commit_for_sub_group(ring, heddle_pipe_readers, id);
}
void __sub_group_commit_write_pipe(Ring ring, ReserveId id, uint bytes, uint alignment) {
  commit_for_sub_group(ring, heddle_pipe_writers, id);
}

// Work-groups: one work-item reserves and broadcasts the id through local memory. The second
// barrier prevents that the next id overwrites it before all have read it.
HELPER ReserveId reserve_for_group(Ring ring, int who, uint count, uint bytes) {
  __local ulong* shared = __heddle_group_reservation();
  if (get_local_linear_id() == 0)
    *shared = (ulong)reserve_patiently(ring, who, count, bytes);
  barrier(CLK_LOCAL_MEM_FENCE);
  const ReserveId id = (ReserveId)*shared;
  barrier(CLK_LOCAL_MEM_FENCE);
  return id;
}

// After all work-items have read or written their packets.
HELPER void commit_for_group(Ring ring, int who, ReserveId id) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_linear_id() == 0)
    commit_reserved(ring, who, id);
}

ReserveId __work_group_reserve_read_pipe(Ring ring, uint count, uint bytes, uint alignment) {
  return reserve_for_group(ring, heddle_pipe_readers, count, bytes);
}
ReserveId __work_group_reserve_write_pipe(Ring ring, uint count, uint bytes, uint alignment) {
  return reserve_for_group(ring, heddle_pipe_writers, count, bytes);
}
void __work_group_commit_read_pipe(Ring ring, ReserveId id, uint bytes, uint alignment) {
  commit_for_group(ring, heddle_pipe_readers, id);
}
void __work_group_commit_write_pipe(Ring ring, ReserveId id, uint bytes, uint alignment) {
  commit_for_group(ring, heddle_pipe_writers, id);
}

bool has_valid_id(ReserveId id) __asm__("_Z19is_valid_reserve_id13ocl_reserveid");
bool has_valid_id(ReserveId id) { return is_valid(id); }

// Packets written and not yet claimed for reading. The readers' counter is read first, so the
// difference may include packets written meanwhile, but is never negative.
HELPER uint packets_in(Ring ring) {
  RING_FENCE(); // as in claim_some
  const ulong claimed = RING_LOAD(&ring->side[heddle_pipe_readers].claimed);
  const ulong written = follow(ring, heddle_pipe_readers, claimed + ring->max_packets);
  return (uint)min(written - claimed, (ulong)ring->max_packets);
}

uint __get_pipe_num_packets_ro(Ring ring, uint bytes, uint alignment) { return packets_in(ring); }
uint __get_pipe_num_packets_wo(Ring ring, uint bytes, uint alignment) { return packets_in(ring); }
uint __get_pipe_max_packets_ro(Ring ring, uint bytes, uint alignment) { return ring->max_packets; }
uint __get_pipe_max_packets_wo(Ring ring, uint bytes, uint alignment) { return ring->max_packets; }
