// Volatile loads, lane by lane, by unsigned indices of which the code generator knows the upper bits.
// expect k17 ff21c5694daf4428
//! options -cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt
#pragma OPENCL FP_CONTRACT OFF

//! kernel k17 dims 1 global 256 local 256
//! arg out ulong 265 zero
//! arg out double 2048 random 2968621925
//! arg value long 9df6c4beb00e3bed
//! arg local double 256
kernel void k17(global ulong* result, global double* own0, long arg0, local double* local0) {
  const uint gid = (uint)(get_global_id(0) - get_global_offset(0));
  const uint lid = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint items = (uint)get_local_size(0);
  for (uint i = lid; i < 256; i += items) local0[i] = (double)(i * 7 + 3);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  ulong h = gid;
  double v1 = convert_double(arg0);
  double a6[4][8];
  { double a = (*((volatile global double*)own0 + ((clamp(convert_uint_sat(v1), (uint)(uint)47, (uint)(uint)68) & 3) * 512 + ((gid * 45 + 357) & 511))));
    for (int i = 0; i < 8; ++i) { for (int j = 0; j < 4; ++j) a6[j][i] = a; a = a + 1.0; } }
  result[gid] = h;
}
