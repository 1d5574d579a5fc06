// Components of vectors of three, which sub-groups move at once where those of all lanes are contiguous.
// expect bytes f5685d0794c3bd5f
// expect shorts 5e10a2483e311b01
//! options -cl-std=CL3.0
#define KERNEL(name, type) \
  kernel void name(global type* out, global const type* in, global const uint* at, int n) { \
    const int i = get_global_id(0), lane = get_local_id(0); \
    type##3 a = vload3(i, in); \
    type##3 b = (type##3)(in[3 * i + 300], in[3 * i + 301], in[3 * i + 302]); \
    vstore3(a.zxy, i, out); \
    if ((at[i] & 3) != 0) { \
      out[3 * i + 300] = b.z + a.x; \
      out[3 * i + 302] = b.y; \
      out[3 * i + 301] = b.x - a.y; \
    } \
    const int other = at[i]; \
    type##3 c = vload3(other, in + 1); \
    vstore3(c + a, other, out + 600); \
    if (lane > 4) \
      vstore3(vload3(i - 4, in) - c, i, out + 900); \
    for (int k = 0; k < n; ++k) { \
      const size_t p = (size_t)get_global_id(0) + (size_t)k * 100; \
      out[1200 + 3 * p + 1] = in[3 * p + 2] + in[3 * p]; \
      out[1200 + 3 * p] = in[3 * p + 1]; \
      out[1200 + 3 * p + 2] = out[1200 + 3 * p] + out[1200 + 3 * p + 1]; \
    } \
  }
//! kernel bytes dims 1 global 100 local 50
//! arg out uchar 1800 zero
//! arg in uchar 900 random 1
//! arg in uint 100 permutation 2
//! arg value int 02000000
KERNEL(bytes, uchar)
//! kernel shorts dims 1 global 100 local 50
//! arg out ushort 1800 zero
//! arg in ushort 900 random 3
//! arg in uint 100 permutation 4
//! arg value int 02000000
KERNEL(shorts, ushort)
