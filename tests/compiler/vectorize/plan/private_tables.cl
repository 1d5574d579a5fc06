// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s
// Work-items that mostly read tables of their own, at places of their own, run one by one
// if the cache has no room for the tables of a vector of them.

// CHECK: kernel 'large_tables': 1 work-item wide: its loops mostly gather from private arrays
// CHECK: kernel 'small_tables': {{8|16|32}} work-items wide
// All lanes read the same elements, which are next to each other.
// CHECK: kernel 'same_elements': {{8|16|32}} work-items wide

#define ROUND(l, r)                                                                                \
  r ^= ((s[(l) >> 24 & MASK] + s[(l) >> 16 & MASK]) ^ s[(l) >> 8 & MASK]) + s[(l)&MASK];

#define KERNEL(name, size)                                                                         \
  kernel void name(global uint* out, global const uint* in, int n) {                               \
    uint s[size];                                                                                  \
    uint a = get_global_id(0), b = a * 3, c = a * 5, d = a * 7, e = a * 9, f = a * 11, g = a * 13, \
         h = a * 15;                                                                               \
    for (int i = 0; i < size; ++i)                                                                 \
      s[i] = in[i] ^ a;                                                                            \
    for (int i = 0; i < n; ++i) {                                                                  \
      ROUND(a, b)                                                                                  \
      ROUND(c, d)                                                                                  \
      ROUND(e, f) ROUND(g, h) ROUND(b, a) ROUND(d, c) ROUND(f, e) ROUND(h, g) s[i & MASK] = a ^ c; \
    }                                                                                              \
    out[get_global_id(0)] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;                                         \
  }

#define MASK 1023
KERNEL(large_tables, 1024)
#undef MASK
#define MASK 15
KERNEL(small_tables, 16)

kernel void same_elements(global uint* out, global const uint* in, int n) {
  uint s[1024];
  uint a = get_global_id(0);
  for (int i = 0; i < 1024; ++i)
    s[i] = in[i] ^ a;
  for (int i = 0; i < n; ++i)
    a += s[i & 1023] * s[(i * 7) & 1023] ^ s[(i * 5) & 1023];
  out[get_global_id(0)] = a;
}
