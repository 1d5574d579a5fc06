// A component of a vector of square roots that nobody uses is poison, on which the choice between a division and
// multiplications branched with AVX-512: the branch, and what led to it, was removed.
// expect k7 31265480eeeff690
//! options -cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt
#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
ushort bits_half(half x) {
  ushort b = as_ushort(x);
  return (b & 0x7fffu) > 0x7c00u ? (ushort)0x7e00u : b;
}
half canon_half(half x) { return as_half(bits_half(x)); }

//! kernel k7 dims 2 global 8 8 local 8 8
//! arg out ulong 128 zero
//! arg in float 4096 random 1565319448
//! arg out double 512 random 2698524909
//! arg value ulong d06d940d0e1004ee
//! arg scratch uint 256 zero
half helper_k7_1(half q0) {
  {
    for (ulong i2 = 0; i2 < (ulong)2; ++i2) {
    q0 -= ((half)0.0f / q0);
    }
  X1:;
  }
  q0 = fabs(q0) < (half)1e3f ? (fmax((half)1.0f, q0) + (half)0.0f) : (half)-1.0f;
  return (((isfinite(-3.25) != 0) ? q0 : q0) - fma((half)-1.0f, (half)3e4f, q0));
}
kernel void k7(global ulong* result, global const float4* in0, global double* own0, ulong arg0, global uint* all_waits) {
  const uint gid = (uint)get_global_linear_id();
  const uint lid = (uint)get_local_linear_id();
  local double local0[64];
  local uint local1[64];
  const uint items = (uint)get_local_size(0) * (uint)get_local_size(1);
  for (uint i = lid; i < 64; i += items) local1[i] = (uint)(i * 7 + 3);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  ulong h = gid;
  ulong v3 = (ulong)1;
  double v4 = (convert_double(((long)(((uint)(get_global_id(0) - get_global_offset(0)) + 1u)))) / -3.25);
  double v5 = v4;
  for (int i15 = 0, e_i15 = (int)2;; ++i15) {
    if (i15 >= e_i15) break;
    switch ((int)(convert_ulong_sat_rtp(convert_half(lid)) & 7)) {
    case 7:
    {
      v3 = convert_ulong_sat(helper_k7_1(copysign((half)1.0f, canon_half(convert_half(own0[(((ulong)1 & 3) * 128 + (127 - gid))])))));
    }
      break;
    default:
    {
      switch ((int)(convert_ulong_sat_rte(convert_half(v5)) & 3)) {
      case 1:
      {
      }
        break;
      case 0:
      {
        v4 = fabs(v4) < 1e5 ? (sqrt(convert_double4(((ulong4)(get_global_id(1)))))).s2 : 2.0;
        v4 = fabs(v4) < 1e5 ? convert_double(helper_k7_1((all(((ulong4)(v3)) > (ulong4)((ulong)1)) ? (half)1.0f : convert_half((in0[1]).s3)))) : 100.0;
      }
      }
    }
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    local1[lid] = convert_uint_sat(helper_k7_1((half)1.0f));
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
  h = as_ulong(v4);
  result[gid] = h;
}
