// Two lanes in a word, of which the lower one is an index: the upper one was not taken off (LLVM 22).
// expect k8 0423661d2fd71b3b
//! options -cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt
#pragma OPENCL FP_CONTRACT OFF
uint bits_float(float x) {
  uint b = as_uint(x);
  return (b & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : b;
}
ulong fold_ushort(ulong h, ushort x) {
  h = (h ^ (ulong)x) * 0x9e3779b97f4a7c15ul;
  return h ^ (h >> 29);
}
ulong fold_float(ulong h, float x) {
  h = (h ^ (ulong)bits_float(x)) * 0x9e3779b97f4a7c15ul;
  return h ^ (h >> 29);
}

//! kernel k8 dims 2 global 4 16 local 4 16
//! arg out ulong 256 zero
//! arg in uint 2048 random 266542611
//! arg in uint 256 permutation 242929480
//! arg out ushort 512 random 2353231646
//! arg scratch uchar 4096 random 641185327
//! arg value ushort d2cc
//! arg local uint 64
//! arg scratch float 256 zero
typedef struct {
  ushort f0[2];
  float f1;
} Record1_k8;
__attribute__((reqd_work_group_size(4, 16, 1))) kernel void k8(global ulong* result, global const uint* in1, global const uint* perm, global ushort* own0, global Record1_k8* own1, ushort arg0, local uint* local0, global float* all_group1) {
  const uint gid = (uint)get_global_linear_id();
  const uint lid = (uint)get_local_linear_id();
  const uint group = (uint)(get_group_id(1) * get_num_groups(0) + get_group_id(0));
  global float* group1 = all_group1 + group * 64;
  const uint items = (uint)get_local_size(0) * (uint)get_local_size(1);
  for (uint i = lid; i < 64; i += items) local0[i] = (uint)(i * 7 + 3);
  for (uint i = lid; i < 64; i += items) group1[i] = (float)(i * 7 + 3);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  ulong h = gid;
  ushort v5 = (ushort)1;
  uint v7 = as_uint(bits_float(convert_float(own0[(((short)1 & 1) * 256 + perm[gid])])));
  ushort u8 = (ushort)1;
  float v9 = 1.0f;
  v5 += convert_ushort(get_global_id(0));
  if ((lid % 5 == 0)) {
    v9 = own1[(gid * 2 + 0)].f1;
    v7 |= (uint)1;
  }
  h = fold_ushort(h, arg0);
  h = fold_ushort(h, u8);
  h = fold_float(h, v9);
  h = fold_ushort(h, (ushort)1);
  h = fold_ushort(h, own1[(gid * 2 + ((short)1 & 1))].f0[((short)((v7 > (uint)1) ? (short)1 : convert_short((in1[(long)get_global_id(0) + 13]))) & 1)]);
  result[gid] = h;
}
