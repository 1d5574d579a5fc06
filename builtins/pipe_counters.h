// The counters of a pipe's ring (compiler/interface/pipe_ring.h): claiming, committing, following.
// For pipes.cl, and for a test that is C++ and runs every interleaving of these very steps: whoever
// includes this defines RING_LOAD (acquire), RING_STORE (release), RING_SWAP (compare and exchange,
// acquire and release, sets what it expected), RING_FENCE (sequentially consistent), HELPER, Ring,
// failed(Ring), and OpenCL C's words.
HELPER bool after(ulong a, ulong b) { return (long)(a - b) > 0; }

// Follows the other side's commits, at least to `wanted` if they go that far, and answers how far.
// A few more are worth following while at it: the next claims need not look.
HELPER ulong follow(Ring ring, int who, ulong wanted) {
  __private ulong* const place = &ring->side[who].seen;
  __private ulong* const marks = (__private ulong*)(ulong)ring->marks[!who];
  ulong seen = RING_LOAD(place);
  for (;;) {
    ulong at = seen;
    for (uint more = 32; more != 0;) {
      const ulong end = RING_LOAD(&marks[at & ring->mask]);
      if (end - at - 1 >= ring->max_packets) // of another round
        break;
      at = end;
      more -= !after(wanted, at);
    }
    const ulong before = seen;
    if (at == before)
      seen = RING_LOAD(place);
    else if (RING_SWAP(place, &seen, at))
      return at;
    // Others have come further meanwhile, or nobody has.
    if (seen == before || !after(wanted, seen))
      return seen;
  }
}

// Claims `count` packets for the side `times` times over, or as often as there are as many. Answers
// how often, and `first` is where the first ones lie; the others follow.
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
    // Nobody may be told "full" while the reader that makes room is told "empty" of a packet this
    // very thread has committed: its own commits come out of the store buffer before it looks last.
    if (after(wanted, seen)) {
      RING_FENCE();
      seen = follow(ring, who, wanted);
    }
    if (after(wanted, seen)) {
      fit = (uint)((seen + room - claimed) / count); // less than `times`, and the count is not 0
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
