// Rows and columns of pictures in launches of one dimension: of constant, uniform and other widths, of which sub-groups
// have one row, parts of two, or several; of negative numbers, and of numbers that wrap around.
// expect powers 8c6129b4ca363fac
// expect constants 52f4475dbeac3e34
// expect ints 1ae194dcbc2286f8
// expect uints af2bdc7b926bd396
// expect longs 8046cf99c1ad8c88
// expect stores eaf154f2bae5e948
// expect chosen 1f404aa87b4d8083
//! options -cl-std=CL3.0
#define PIXEL(x, y, w) in[(y) * (w) + (x)]

//! kernel powers dims 1 global 300 local 60
//! arg out uint 900 zero
//! arg in uint 2048 random 1
kernel void powers(global uint* out, global const uint* in) {
  const int i = get_global_id(0), x = i & 63, y = i >> 6;
  out[i] = PIXEL(x, y, 64) + PIXEL(63 - x, y, 64) * 3 + PIXEL(x / 16, y, 64) * 5;
  const int j = i - 150, u = j & 31, v = j >> 5;
  out[300 + i] = PIXEL(u, v + 10, 32) ^ PIXEL(u + 1, v + 11, 33) ^ in[(j & ~15) + 200];
  uint sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum = sum * 3 + PIXEL((x + dx) & 63, (y + dy) & 7, 64);
  out[600 + i] = sum;
}

//! kernel constants dims 1 global 300 local 100
//! arg out uint 600 zero
//! arg in uint 2048 random 2
kernel void constants(global uint* out, global const uint* in) {
  const int i = get_global_id(0);
  const uint j = get_global_id(0) + 7;
  out[i] = PIXEL(i % 100, i / 100, 101) + PIXEL(j % 20, j / 20, 21) * 3 + PIXEL(i % 3, i / 3, 3);
  const int k = i - 130;
  out[300 + i] = in[k % 48 + 48 + (k / 48 + 3) * 96] ^ in[(j * 3) % 40 + (j * 3) / 40];
}

#define WIDTHS(name, type) \
  kernel void name(global uint* out, global const uint* in, global const type* widths) { \
    const type i = (type)get_global_id(0); \
    for (int k = 0; k < 6; ++k) { \
      const type w = widths[k] * 23; \
      if (w != 0) { \
        const type x = i % w, y = i / w; \
        out[300 * k + i] = in[(uint)(y * 2 + x) & 2047] + in[(uint)(x + w) & 2047] * 5; \
      } \
    } \
    const type wrapping = i * 16777215 + (type)2147483600, v = widths[4] * 23 + 17; \
    out[1800 + i] = in[(uint)(wrapping / v) & 2047] - in[(uint)(wrapping % v) & 2047]; \
    const type high = i + (type)4294967100u; \
    out[2100 + i] = in[(uint)(high / v) & 2047] - in[(uint)(high % v) & 2047]; \
  }
//! kernel ints dims 1 global 300 local 75
//! arg out uint 2400 zero
//! arg in uint 2048 random 3
//! arg in int 6 permutation 7
WIDTHS(ints, int)
//! kernel uints dims 1 global 300 local 75
//! arg out uint 2400 zero
//! arg in uint 2048 random 3
//! arg in uint 6 permutation 7
WIDTHS(uints, uint)
//! kernel longs dims 1 global 300 local 75
//! arg out uint 2400 zero
//! arg in uint 2048 random 3
//! arg in long 6 permutation 7
WIDTHS(longs, long)

// Stores, under conditions that leave lanes out, the first ones too.
//! kernel stores dims 1 global 300 local 60
//! arg out uint 2048 random 4
//! arg in uint 2048 random 5
//! arg in int 2 permutation 8
kernel void stores(global uint* out, global const uint* in, global const int* width) {
  const int i = get_global_id(0), w = 60 + width[0] * 30, x = i % w, y = i / w;
  if (x > 4 && x < w - 3)
    out[y * 100 + x] = PIXEL(x - 5, y, w) + PIXEL(x, y, w);
  if (in[i] & 1)
    out[1024 + (i & 127) + (i >> 7) * 200] = PIXEL(clamp(x + 2, 0, w - 1), max(y - 1, 0), 60 + width[1] * 30);
}

// Divisors that differ between work-items, by other conditions than those of a division that is undefined.
//! kernel chosen dims 1 global 300 local 60
//! arg out uint 300 zero
//! arg in uint 2048 random 6
//! arg in int 4 permutation 9
kernel void chosen(global uint* out, global const uint* in, global const int* widths) {
  const int i = get_global_id(0), w = widths[0] * 20 + 40, v = widths[1] * 31 - 30;
  const int u = i < 70 ? 1 : w, t = i == -1 || widths[2] == 3 ? 1 : w;
  out[i] = in[i / u + i % u] + in[i / t + i % t] * 3 + in[v == 0 ? 7 : ((i - 40) / v + (i - 40) % v) & 1023] * 5;
}
