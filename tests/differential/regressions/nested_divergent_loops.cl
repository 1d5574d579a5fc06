// Loops whose work-items leave at different times, by break, continue and return, in groups of 7.
//! options -cl-std=CL3.0
// expect leave 5f8ef1968de8064d
//! kernel leave dims 1 global 77 local 7
//! arg out uint 77 zero
//! arg in uint 256 random 3
kernel void leave(global uint* out, global const uint* in) {
  const uint gid = (uint)get_global_id(0);
  uint sum = gid;
  for (uint i = 0; i < (in[gid] & 15u); ++i) {
    if ((in[i * 3 + gid] & 7u) == 5u)
      continue;
    uint j = 0;
    do {
      sum = sum * 31u + in[(sum + j) & 255u];
      if ((sum & 63u) == 17u)
        break;
      if (sum % 211u == 0u) {
        out[gid] = ~sum;
        return;
      }
    } while (++j < (gid & 3u) + i);
    if (sum > 0xf0000000u)
      break;
  }
  out[gid] = sum;
}
