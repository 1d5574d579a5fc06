// Private arrays with indices that all share, that differ, and that differ only by the path taken.
//! options -cl-std=CL3.0
// expect arrays da6dd9da3e74ad0b
//! kernel arrays dims 1 global 66 local 33
//! arg out long 66 zero
//! arg in long 256 random 9
kernel void arrays(global long* out, global const long* in) {
  const uint gid = (uint)get_global_id(0);
  ulong a[8];
  float3 b[2][4];
  for (int i = 0; i < 8; ++i) {
    a[i] = (ulong)in[gid + i];
    b[i & 1][i >> 1] = (float3)((float)(in[i] & 255), (float)i, (float)gid);
  }
  ulong sum = a[3];
  for (uint i = 0; i < (gid & 3u) + 2u; ++i) {
    a[(gid + i) & 7u] += sum;
    ulong* p = (sum & 1u) ? &a[i] : &sum;
    *p ^= a[sum & 7u] >> 5;
    if (gid & 16u)
      b[i & 1u][(gid >> 1) & 3u].y += 2.0f;
  }
  for (int i = 0; i < 8; ++i)
    sum = sum * 3u + a[i] + (ulong)(b[i & 1][i >> 1].x * b[1][i & 3].y) + (ulong)b[0][1].z;
  out[gid] = (long)sum;
}
