// What a loop leaves as it is stays where it is kept across barriers.
// expect k15 ba2dd83797a18fa1
//! options -cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
ulong fold_ushort(ulong h, ushort x) {
  h = (h ^ (ulong)x) * 0x9e3779b97f4a7c15ul;
  return h ^ (h >> 29);
}
ulong fold_ushort3(ulong h, ushort3 x) { h = fold_ushort(h, x.s0); h = fold_ushort(h, x.s1); h = fold_ushort(h, x.s2); return h; }

//! kernel k15 dims 1 global 3 local 33
//! arg out ulong 3 zero
//! arg scratch ushort 48 random 1431751705
//! arg check uint 3 zero
kernel void k15(global ulong* result, global ushort3* own2, global uint* check) {
  local ulong sg_value[64];
  local uint sg_group[64];
  local uint sg_lane[64];
  local uint sg_on[64];
  const uint gid = (uint)get_global_linear_id();
  const uint lid = (uint)get_local_linear_id();
  const uint group = (uint)get_group_id(0);
  local uint local0[64];
  local ushort local1[64];
  const uint items = (uint)get_local_size(0);
  for (uint i = lid; i < 64; i += items) local0[i] = (uint)(i * 7 + 3);
  for (uint i = lid; i < 64; i += items) local1[i] = (ushort)(i * 7 + 3);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  ulong h = gid;
  ushort3 v6 = own2[(gid * 4 + ((uint)1 & 3))];
  uint seq = gid;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (1) local0[lid] = (uint)1;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  for (short i7 = (short)4; i7 > 0; i7 -= 1) {
    v6.x = (ushort)1;
    {
      const double x = 1.0;
      const uint sg = get_sub_group_id(), lane = get_sub_group_local_id(), on = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      sg_value[lid] = (ulong)x; sg_group[lid] = sg; sg_lane[lid] = lane; sg_on[lid] = on;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (on) {
        double e = (double)0;
        for (uint i = 0; i < items; ++i) {
          const double v = (double)sg_value[i];
          if (sg_group[i] == sg && sg_on[i] && (sg_lane[i] <= lane)) e = e + v;
        }
        const double r = sub_group_non_uniform_scan_inclusive_add(x);
        if (r != e) check[gid] = 39352u;
      }
    }
  }
  h = fold_ushort3(h, v6);
  result[gid] = h;
}
