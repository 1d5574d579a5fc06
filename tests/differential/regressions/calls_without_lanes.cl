// A call without a vector form, under a mask that no lane is left in.
// expect k15 f858b98df7b64cd8
// expect k1 1caabe0a03a846f1
//! options -cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt
#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

//! kernel k15 dims 1 global 128 local 128
//! arg out ulong 256 zero
//! arg in ulong 4096 random 62451023
//! arg out int 512 random 1075920566
//! arg value ulong2 0d8a0a1cf3b239d4ecc824a56d8a0e34
int helper_k15_0(int2 q0, global const ulong2* in0) {
  if ((((q0).s0 & 8) != 0)) {
    {
      int i1 = 0;
      while (i1 < (int)8) {
        ++i1;
      q0.x = i1;
      }
    }
  }
  return (q0).s0;
}
kernel void k15(global ulong* result, global const ulong2* restrict in0, global int* own0, ulong2 arg0) {
  const uint gid = (uint)get_global_linear_id();
  const uint lid = (uint)get_local_linear_id();
  ulong h = gid;
  ulong v2 = (ulong)1;
  ulong2 v3 = (in0[(int)gid]);
  ulong v5 = ((in0[gid])).s0;
  int v6 = (int)((int)1 % ((convert_int(v5) & (int)0x7fffffff) | (int)1));
  own0[(0 * 256 + (255 - gid))] = ((helper_k15_0(convert_int2(arg0), in0) >= clz(v6)) ? (((v3).s0 <= v2) ? (int)1 : all(convert_long2(((ulong2)(v5))))) : (int)((*((volatile global int*)own0 + (((uint)1 & 1) * 256 + (255 - gid)))) >> (uchar)(convert_uchar((arg0).s1) - convert_uchar(v6))));
  result[gid] = h;
}
ulong fold_int(ulong h, int x) {
  h = (h ^ (ulong)x) * 0x9e3779b97f4a7c15ul;
  return h ^ (h >> 29);
}

//! kernel k1 dims 2 global 1 64 local 1 64
//! arg out ulong 192 zero
//! arg in half 1024 random 3095303296
kernel void k1(global ulong* result, global const half* in0) {
  const uint gid = (uint)((get_global_id(1) - get_global_offset(1)) * get_global_size(0) + (get_global_id(0) - get_global_offset(0)));
  const uint lid = (uint)(get_local_id(1) * get_local_size(0) + get_local_id(0));
  const uint group = (uint)(get_group_id(1) * get_num_groups(0) + get_group_id(0));
  local int local0[64];
  const uint items = (uint)get_local_size(0) * (uint)get_local_size(1);
  for (uint i = lid; i < 64; i += items) local0[i] = (int)(i * 7 + 3);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  ulong h = gid;
  int v3 = (int)1;
  float v4 = vload_half(((uint)1 & 1023), in0);
  v3 &= ((((ulong)0xbf56ce0ce02bc7d4ul <= get_local_id(1)) || (-3.25f < v4)) ? (int)1 : all(convert_long2(((ulong2)(get_local_id(0))))));
  h = fold_int(h, v3);
  result[gid] = h;
}
