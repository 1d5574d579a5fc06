// Structures and vectors of all widths: loads, stores, swizzles, conversions that clamp.
//! options -cl-std=CL3.0
// expect records 676b01ee583caf06
typedef struct {
  uchar tag;
  int4 wide;
  double real;
  short3 three;
  ushort rest[3];
} Record;

//! kernel records dims 2 global 13 5 local 4 2
//! arg scratch uchar 4160 random 10
//! arg out int 1040 zero
//! arg in char 2048 random 11
kernel void records(global Record* all, global int16* out, global const char* in) {
  const uint gid = (uint)get_global_linear_id();
  Record r;
  r.tag = convert_uchar_sat(in[gid]);
  r.wide = convert_int4(vload4(gid, in)).wzyx * (int4)(1, -2, 3, -4);
  r.real = (double)in[gid * 2] * 0.25;
  r.three = convert_short3(vload3(gid, in + 1)) - (short)gid;
  for (int i = 0; i < 3; ++i)
    r.rest[i] = (ushort)(gid * 7u + i);
  all[gid] = r;
  if (gid % 5 == 2)
    all[gid].wide.hi = (int2)(r.tag, r.rest[gid % 3]);
  char16 c = vload16(gid & 127u, in);
  c.odd = add_sat(c.even, (char8)(100));
  const int8 wide = convert_int8_sat_rtz((float8)(all[gid].real, (float)all[gid].tag, 3e9f, -3e9f, (float4)(0.5f)));
  out[gid] = convert_int16(c) ^ (int16)(all[gid].wide, convert_int4(all[gid].three.xyzz), wide);
}
