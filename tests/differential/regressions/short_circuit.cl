// Operands with side effects that are evaluated only if those before them say so.
//! options -cl-std=CL3.0
// expect conditions cbdf3c6b32d866b0
uint step(uint* state, uint by) {
  *state = *state * 1664525u + by;
  return *state >> 7;
}

//! kernel conditions dims 3 global 10 6 4 local 5 3 2
//! arg out uint 240 zero
//! arg in uint 256 random 6
kernel void conditions(global uint* out, global const uint* in) {
  const uint gid = (uint)get_global_linear_id();
  uint state = in[gid], hits = 0;
  for (uint i = 0; i < 6; ++i) {
    if ((state & 1u) && step(&state, i) > 1000u && (in[state & 255u] & 2u || step(&state, 7u) & 4u))
      hits += 1u;
    hits += (gid & 1u) ? ((state & 8u) || (step(&state, gid) & 1u)) : !(step(&state, 1u) & 16u && hits < 3u);
  }
  out[gid] = state ^ hits;
}
