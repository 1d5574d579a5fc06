// Work-group functions in loops and conditions that all take together, beside barriers and private state.
//! options -cl-std=CL3.0
// expect a d568139fe77fbc6c
// expect b a5a726c50142a9dd
//! kernel a dims 2 global 20 9 local 5 3
//! arg out ulong 180 zero
//! arg in uint 256 random 5
kernel void a(global ulong* out, global const uint* in) {
  local uint m[16];
  uint lid = get_local_linear_id(), gid = get_global_linear_id();
  uint group = get_group_id(0) + get_group_id(1) * 4;
  uint v = in[gid];
  ulong s = 0;
  uint p[4] = {v, v + 1, v ^ 3, gid};
  for (uint i = 0; i < group % 5; ++i) {
    uint t = work_group_scan_inclusive_add(v);
    if (work_group_any(t > 0xf0000000u)) { s ^= work_group_reduce_max(t); p[i & 3] += lid; }
    else { m[lid] = t; barrier(CLK_LOCAL_MEM_FENCE); s += m[14 - lid]; barrier(CLK_LOCAL_MEM_FENCE); }
    v = work_group_broadcast(v ^ t, i % 5, group % 3) + lid * p[(lid + i) & 3];
    if (work_group_all((int)(v & 1))) break;
    ulong e = work_group_scan_exclusive_min((ulong)v << (i & 7));
    s = s * 7 + e;
    if (work_group_reduce_add(v) % 7 == 2) { out[gid] = s; return; }
  }
  out[gid] = s + work_group_scan_exclusive_add(p[lid & 3]) + work_group_reduce_min((long)s >> 3);
}
//! kernel b dims 1 global 100 local 50
//! arg out ulong 100 zero
//! arg in uint 256 random 5
ulong two(ulong x, uint k) { return work_group_reduce_add(x) * (k + 1) + work_group_scan_inclusive_max(x); }
kernel void b(global ulong* out, global const uint* in) {
  uint lid = get_local_id(0), gid = get_global_id(0);
  ulong s = in[gid];
  for (uint i = 0; i < 3 + get_group_id(0); ++i) {
    for (uint j = 0; j < (lid + i) % 6; ++j) s += in[(gid + j * 3) & 255] * j;
    s ^= two(s, i);
    switch (work_group_broadcast((uint)s, 7) & 3) { case 0: s += two(s >> 1, 2); break; case 1: s -= work_group_scan_exclusive_add(s); case 2: s ^= 5; break; }
  }
  out[gid] = s;
}
