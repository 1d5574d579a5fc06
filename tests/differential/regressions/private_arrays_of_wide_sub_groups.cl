// Private arrays in kernels that wait for their own results, whose sub-groups are wider than registers.
// expect rounds 992f33451ee11b73
// expect chains e4d7fa5f3ac97b81
//! options -cl-std=CL3.0
//! kernel rounds dims 1 global 192 local 96
//! arg out uint 192 zero
//! arg in uint 192 random 1
kernel void rounds(global uint* out, global const uint* in) {
  uint w[16];
  const uint id = get_global_id(0);
  for (uint i = 0; i < 16; ++i)
    w[i] = in[(id + i * 7) % 192];
  uint a = 1, b = 2, c = 3;
  for (uint i = 0; i < 80; ++i) {
    if (i >= 16)
      w[i & 15] += rotate(w[(i + 1) & 15], 7u) ^ w[(i + 9) & 15];
    const uint t = rotate(a, 5u) + bitselect(c, b, a) + w[i & 15];
    c = rotate(b, 30u);
    b = a;
    a = t;
    if ((t & 63) == 17)
      w[id & 15] ^= b;
  }
  out[id] = a ^ b ^ c;
}
//! kernel chains dims 2 global 64 8 local 16 4
//! arg out uint 512 zero
//! arg value int 40000000
kernel void chains(global uint* out, int n) {
  float w[4];
  const uint x = get_global_id(0), y = get_global_id(1);
  for (int i = 0; i < 4; ++i)
    w[i] = (float)(x + 2 * y + i);
  float a = (float)y;
  for (int i = 0; i < n; ++i) {
    a = a * 0.5f + w[i & 3];
    w[(i + x) & 3] = a;
  }
  out[y * 64 + x] = as_uint(a) ^ as_uint(w[1]);
}
