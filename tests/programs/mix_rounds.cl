// Integer work that a profiler sees and a debugger can stop in; line numbers matter to run_gdb and run_perf.
uint mix_once(uint state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^ (state << 5);
}

kernel void mix_rounds(global uint* out, uint rounds) {
  uint item = (uint)get_global_id(0);
  uint state = item * 2654435761u + 1u;
  for (uint round = 0; round < rounds; ++round)
    state = mix_once(state) + round;
  out[item] = state; // BREAK HERE
}
