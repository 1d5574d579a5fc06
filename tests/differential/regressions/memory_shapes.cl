// Each shape of address: consecutive, reversed, strided, broadcast, gathered, scattered, with masks.
//! options -cl-std=CL3.0
// expect shapes 4873254621d4c8ba
//! kernel shapes dims 1 global 100 local 100 offset 3
//! arg out ushort 840 zero
//! arg in ushort 1024 random 7
//! arg in uint 100 permutation 8
kernel void shapes(global ushort* out, global const ushort* in, global const uint* order) {
  const uint gid = (uint)(get_global_id(0) - get_global_offset(0));
  out[gid] = in[gid];
  out[100 + (99 - gid)] = in[gid * 3 + 1];
  out[200 + order[gid]] = in[1023 - gid];
  if (gid % 3 != 1) {
    out[300 + gid * 2] = in[order[gid] * 4];
    out[300 + gid * 2 + 1] = in[order[5]];
  }
  ushort last = 0;
  for (uint i = 0; i < (gid & 7u); ++i)
    last += in[get_global_id(0) + i] ^ in[i];
  if (gid & 4u)
    out[500 + ((gid * 37 + 11) & 127u)] = last;
  vstore2((ushort2)(last, in[gid]), order[gid], out + 640);
}
