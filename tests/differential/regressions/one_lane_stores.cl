// A sub-group's rest of one work-item stores narrower parts of what it has: no more than these are written.
// expect record e7eca3575d7fabcf
// expect bytes 4b3fdb284092f040
//! kernel record dims 1 global 7 local 1
//! arg out ulong 7 zero
//! arg in uint 64 random 2399665681
//! kernel bytes dims 1 global 5 local 5
//! arg out uchar 64 random 4
//! arg out ushort 64 random 5
//! arg out uint 64 random 6
//! arg in ulong 16 random 7
typedef union { uint halves[4]; ulong whole[2]; } Record;
__attribute__((intel_reqd_sub_group_size(2)))
kernel void record(global ulong* result, global const uint* in) {
  size_t i = get_global_id(0);
  Record r;
  r.whole[0] = 1;
  r.whole[1] = i + 1;
  r.halves[1] = convert_uint_sat(1 - (long)in[i * 8 + 1]);
  result[i] = r.whole[(uint)r.whole[i >> 4] & 1];
}
// The last work-item of five is a rest.
__attribute__((intel_reqd_sub_group_size(2)))
kernel void bytes(global uchar* a, global ushort* b, global uint* c, global const ulong* in) {
  size_t i = get_global_id(0);
  ulong v = in[i] * 3 + in[i + 5];
  a[i] = v;
  b[i] = v >> 3;
  c[i] = v >> 5;
}
