// Bitwise functions of three values: 64 of the 256, and those that hashes are made of.
// expect tables a5eb4c5edde9c805
// expect rounds ba479fc0ae0ca1f7
// expect small 265f5383bf1a0afb
//! kernel tables dims 1 global 64 local 64
//! arg out uint 4096 random 1
//! arg in uint 192 random 2
//! kernel rounds dims 1 global 256 local 64
//! arg out ulong 256 random 3
//! arg value uint 05000000
//! kernel small dims 1 global 200 local 40
//! arg out uchar 200 random 4
//! arg in uchar 800 random 5

#define TERM(n, k, x) (((n) >> (k)&1) != 0 ? (x) : 0u)
#define TABLE(i, n)                                                                              \
  t[(i) * 64] = TERM(n, 0, ~a & ~b & ~c) | TERM(n, 1, ~a & ~b & c) | TERM(n, 2, ~a & b & ~c) |          \
         TERM(n, 3, ~a & b & c) | TERM(n, 4, a & ~b & ~c) | TERM(n, 5, a & ~b & c) |             \
         TERM(n, 6, a & b & ~c) | TERM(n, 7, a & b & c);
#define FOUR(i) TABLE(i, 4 * (i)) TABLE(i + 1, 4 * (i) + 5) TABLE(i + 2, 4 * (i) + 10) TABLE(i + 3, 4 * (i) + 15)
#define SIXTEEN(i) FOUR(i) FOUR(i + 4) FOUR(i + 8) FOUR(i + 12)
kernel void tables(global uint* out, global const uint* in) {
  uint l = get_local_id(0), a = in[l], b = in[l + 64], c = in[l + 128];
  global uint* t = out + l;
  SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48)
}

// Results that are inputs again, are used twice, and meet in sums.
kernel void rounds(global ulong* out, uint n) {
  size_t i = get_global_id(0);
  ulong a = out[i], b = a * 0x9e3779b97f4a7c15, c = b ^ a << 7, d = ~c;
  for (uint r = 0; r < n; ++r) {
    ulong choice = bitselect(a, b, c), most = (a & b) | (c & (a | b));
    ulong other = (c ^ (b | ~a)) + ((a & c) | (b & ~c));
    ulong nested = (choice ^ most ^ other) & ~(choice & most) | (other & ~most);
    d = d + choice + (most ^ nested) + (r % 2 == 0 ? bitselect(b, a, c ^ b) : nested & most & other);
    a = b;
    b = c;
    c = d ^ (most & a);
  }
  out[i] = a ^ b ^ c ^ d;
}

kernel void small(global uchar* out, global const uchar* in) {
  size_t i = get_global_id(0);
  uchar a = in[i], b = in[i + 200], c = in[i + 400];
  bool odd = (a & 1) != 0;
  uchar x = (uchar)((a & b) | (c & (a | b)));
  uchar y = (uchar)((x & ~a) | (b & ~x & c));
  out[i] = odd ? (uchar)(x ^ (y | ~c)) : (uchar)((y & x) ^ (y & c) ^ (x & c));
}
