// A scalar kernel split at its barriers has parameters behind the work-item state, which work-group
// functions read.
// expect k13 7235569ce3afca94
//! options -cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

//! kernel k13 dims 2 global 16 4 local 16 4
//! arg out ulong 576 zero
//! arg out ulong 102 random 4197468693
//! arg local uint 64
//! arg check uint 576 zero
kernel void k13(global ulong* result, global ulong* cells, local uint* local1, global uint* check) {
  local ulong sg_value[64];
  local uint sg_group[64];
  local uint sg_lane[64];
  local uint sg_on[64];
  const uint gid = (uint)get_global_linear_id();
  const uint lid = (uint)get_local_linear_id();
  const uint group = (uint)(get_group_id(1) * get_num_groups(0) + get_group_id(0));
  local uchar3 local0[64];
  const uint items = (uint)get_local_size(0) * (uint)get_local_size(1);
  for (uint i = lid; i < 64; i += items) local0[i] = (uchar3)((uchar)(i * 7 + 3));
  for (uint i = lid; i < 64; i += items) local1[i] = (uint)(i * 7 + 3);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  ulong h = gid;
  uint v2 = (uint)1;
  uint seq = gid;
  atom_and(&cells[32 + ((int)1 & 15)], (ulong)1);
  v2 = convert_uint(work_group_broadcast((int)1, (size_t)16 % get_local_size(0), (size_t)106 % get_local_size(1)));
  {
    const long x = (long)1;
    const uint sg = get_sub_group_id(), lane = get_sub_group_local_id(), on = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    sg_value[lid] = (ulong)x; sg_group[lid] = sg; sg_lane[lid] = lane; sg_on[lid] = on;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (on) {
      uint e = 0;
      for (uint i = 0; i < items; ++i) {
        const long v = (long)sg_value[i];
        if (sg_group[i] == sg && sg_on[i] && (1)) e = e + 1;
      }
      uint r = get_sub_group_size();
      if (lane >= r || sg >= get_num_sub_groups() || r > get_max_sub_group_size()) r = ~0u;
      if (r != e) check[gid] = 32380u;
    }
  }
  result[gid] = h;
}
