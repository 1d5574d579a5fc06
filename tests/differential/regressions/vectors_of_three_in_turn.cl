// Vectors of three whose components are loaded and stored in turn, through other pointers and the same one.
// expect bytes 17517233f9330325
// expect words 2212ec2480c12893
//! options -cl-std=CL3.0
#define KERNEL(name, type) \
  kernel void name(global type* restrict out, global type* own, global const uint* at) { \
    const size_t i = (size_t)get_global_id(0) * 3; \
    const uint which = at[get_global_id(0)] % 3; \
    out[i + 1] = own[i]; \
    out[i] = own[i + 2] + own[i + 1]; \
    out[i + 2] = own[i + 1]; \
    own[i] = out[i] - own[i + 1]; \
    own[i + which] += 3; \
    own[i + 2] ^= own[i + which] + out[i + which]; \
    own[i + 1] = own[i + 2] + own[i]; \
    type a = own[i], b = own[i + 1]; \
    own[i + 2] = a + 7; \
    own[300 + i] = own[i + 2] + b; \
    out[300 + i + which] = a; \
    own[300 + i + 1] = own[i] ^ out[300 + i + 1]; \
    own[300 + i + 2] = own[300 + i] + own[300 + i + 1]; \
  }
//! kernel bytes dims 1 global 100 local 50
//! arg out uchar 600 random 1
//! arg out uchar 600 random 2
//! arg in uint 100 random 3
KERNEL(bytes, uchar)
//! kernel words dims 1 global 100 local 50
//! arg out uint 600 random 4
//! arg out uint 600 random 5
//! arg in uint 100 random 6
KERNEL(words, uint)
