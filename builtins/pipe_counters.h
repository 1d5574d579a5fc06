// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of a pipe's ring (compiler/interface/pipe_ring.h): claim, commit, follow. Included
// by pipes.cl and by a C++ test that runs every interleaving of these operations. The including
// file defines RING_LOAD (acquire), RING_STORE (release), RING_SWAP (compare and exchange, acquire
// and release, updates the expected value), RING_FENCE (sequentially consistent), HELPER, Ring,
// failed(Ring), and OpenCL C's keywords.
HELPER bool after(ulong a, ulong b) { return (long)(a - b) > 0; }

// Follows the other side's commits, at least to `wanted` if they reach it, and returns the position
// reached. Follows a few more, so that the next claims need not.
HELPER ulong follow(Ring ring, int who, ulong wanted) {
  __private ulong* const place = &ring->side[who].seen;
  __private ulong* const marks = (__private ulong*)(ulong)ring->marks[!who];
  ulong seen = RING_LOAD(place);
  for (;;) {
    ulong at = seen;
    for (uint more = 32; more != 0;) {
      const ulong end = RING_LOAD(&marks[at & ring->mask]);
      if (end - at - 1 >= ring->max_packets) // of another lap
        break;
      at = end;
      more -= !after(wanted, at);
    }
    const ulong before = seen;
    if (at == before)
      seen = RING_LOAD(place);
    else if (RING_SWAP(place, &seen, at))
      return at;
    // Keeps the larger of this position and that of other threads.
    if (seen == before || !after(wanted, seen))
      return seen;
  }
}

// Claims up to `times` blocks of `count` packets for the side, as many as are available. Returns
// the number of blocks; `first` is the position of the first one, and the others follow it.
HELPER uint claim_some(Ring ring, int who, uint count, uint times, __private ulong* first) {
  __private struct heddle_pipe_side* const side = &ring->side[who];
  const ulong room = who == heddle_pipe_writers ? ring->max_packets : 0;
  ulong claimed = RING_LOAD(&side->claimed);
  uint fit;
  do {
    fit = times;
    const ulong wanted = claimed + (ulong)count * times - room;
    ulong seen = RING_LOAD(&side->seen);
    if (after(wanted, seen))
      seen = follow(ring, who, wanted);
    // A writer must not find the ring full while a reader finds it empty although this thread has
    // committed a packet: the fence makes this thread's commits visible before its last read.
    if (after(wanted, seen)) {
      RING_FENCE();
      seen = follow(ring, who, wanted);
    }
    if (after(wanted, seen)) {
      fit = (uint)((seen + room - claimed) / count); // less than `times`; count is not 0
      if (fit == 0) {
        failed(ring);
        return 0;
      }
    }
  } while (!RING_SWAP(&side->claimed, &claimed, claimed + (ulong)count * fit));
  *first = claimed;
  return fit;
}

// Commits [at, at + count), count > 0.
HELPER void commit(Ring ring, int who, ulong at, uint count) {
  __private ulong* const marks = (__private ulong*)(ulong)ring->marks[who];
  RING_STORE(&marks[at & ring->mask], at + count);
}
