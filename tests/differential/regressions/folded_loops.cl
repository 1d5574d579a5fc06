// Loops whose results are formulas of their trip counts: all ways end at once. What each result has beside the id is 0.
//! options -cl-std=CL3.0
#define OUT out[get_global_id(0)]

// expect wraps 58fe96a4f886aea5
//! kernel wraps dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void wraps(global uint* out, uint n) {
  uint id = get_global_id(0);
  uint g = n + id; do g -= 3; while (g);
  OUT = g + id;
}

// expect uniform 58fe96a4f886aea5
//! kernel uniform dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void uniform(global uint* out, uint n) {
  uint id = get_global_id(0);
  uint g = n; do g -= 3; while (g);
  OUT = g + id;
}

// expect jumps 58fe96a4f886aea5
//! kernel jumps dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void jumps(global uint* out, uint n) {
  uint id = get_global_id(0);
  uint g = n; again: for (int i = -3; i <= -1; i++) g--; if (g) goto again;
  OUT = g + id;
}

// expect wide_bound 58fe96a4f886aea5
//! kernel wide_bound dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void wide_bound(global uint* out, uint n) {
  uint id = get_global_id(0);
  uint g = 0, m = n * 400000000u; for (uint i = 0; i < m + get_global_id(0); ++i) g += 2;
  OUT = g - 2 * (m + id) + id;
}

// expect down 58fe96a4f886aea5
//! kernel down dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void down(global uint* out, uint n) {
  uint id = get_global_id(0);
  uint g = 0, m = n * 800000000u; for (uint i = m; i > 0; --i) g += 5;
  OUT = g - 5 * m + id;
}

// expect nest 58fe96a4f886aea5
//! kernel nest dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void nest(global uint* out, uint n) {
  uint id = get_global_id(0);
  uint g = 0, m = n * 100000u; for (uint i = 0; i < m; ++i) for (uint j = 0; j < m + id; ++j) g += i;
  OUT = g - (uint)((ulong)m * (m - 1) / 2) * (m + id) + id;
}

// expect triangle 58fe96a4f886aea5
//! kernel triangle dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void triangle(global uint* out, uint n) {
  uint id = get_global_id(0);
  uint g = 0, m = n * 100000u + id; for (uint i = 0; i < m; ++i) for (uint j = i; j < m; ++j) g += 3;
  OUT = g - 3 * (uint)((ulong)m * (m + 1) / 2) + id;
}

// expect squares 58fe96a4f886aea5
//! kernel squares dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void squares(global uint* out, uint n) {
  uint id = get_global_id(0);
  ulong g = 0, m = n * 800000000ul + id; for (ulong i = 0; i < m; ++i) g += i * i; ulong a = m - 1, b = m, c = 2 * m - 1; if (a & 1) b /= 2; else a /= 2; if (a % 3 == 0) a /= 3; else if (b % 3 == 0) b /= 3; else c /= 3;
  OUT = (uint)(g - a * b * c) + id;
}

// expect same_choice 58fe96a4f886aea5
//! kernel same_choice dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void same_choice(global uint* out, uint n) {
  uint id = get_global_id(0);
  uint g = 0, m = n * 800000000u; for (uint i = 0; i < m; ++i) { g += n > 3 ? id : 3; g ^= 0; } OUT = g - m * (n > 3 ? id : 3) + id;
}

// expect shifted 58fe96a4f886aea5
//! kernel shifted dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void shifted(global uint* out, uint n) {
  uint id = get_global_id(0);
  uint g = 0, m = n * 800000000u + id; for (uint i = 0; i < m; ++i) g += (i << 1) + (id ^ 5);
  OUT = g - (uint)((ulong)m * (m - 1)) - m * (id ^ 5) + id;
}

// expect bytes_wrap 58fe96a4f886aea5
//! kernel bytes_wrap dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void bytes_wrap(global uint* out, uint n) {
  uint id = get_global_id(0);
  uint g = 0; for (uchar i = 0; i < (n + id) % 250; ++i) g += 7;
  OUT = g - 7 * ((n + id) % 250) + id;
}

// expect goes_on 58fe96a4f886aea5
//! kernel goes_on dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void goes_on(global uint* out, uint n) {
  uint id = get_global_id(0);
  uint g = 0; for (uchar i = 0; (uint)(uchar)(i * 3) != (n * 3 + id * 9) % 256; ++i) g += 1;
  OUT = g - (n + id * 3) % 256 + id;
}

// expect floats 58fe96a4f886aea5
//! kernel floats dims 1 global 96 local 12
//! arg out uint 96 zero
//! arg value uint 05000000
kernel void floats(global uint* out, uint n) {
  uint id = get_global_id(0);
  float g = 0; for (uint i = 0; i < n + id; ++i) g += 2;
  OUT = (uint)g - 2 * (n + id) + id;
}
