// Rows of a group that run side by side and take different ways: what they load and store at one address for all lanes,
// values that meet again, tiles with incomplete rows and columns, and tiles that are read along their columns.
//! options -cl-std=CL3.0
//! kernel product dims 2 global 48 48 local 16 16
//! arg out uint 2304 zero
//! arg in uint 1681 random 1
//! arg in uint 1681 random 2
//! arg value int 29000000
kernel void product(global uint* c, global const uint* a, global const uint* b, int n) {
  local uint ta[16][16], tb[16][16];
  int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
  uint sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[y][x] = row < n && t + x < n ? a[row * n + t + x] : 0;
    tb[y][x] = t + y < n && col < n ? b[(t + y) * n + col] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k)
      sum += ta[y][k] * tb[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < n && col < n)
    c[row * n + col] = sum;
}
//! kernel ways dims 2 global 64 24 local 32 8
//! arg out uint 1536 zero
//! arg out uint 24 zero
//! arg in uint 64 random 3
//! arg in uint 24 random 4
kernel void ways(global uint* out, global uint* rows, global const uint* in, global const uint* by_row) {
  uint x = get_global_id(0), y = get_global_id(1), sum = x, factor = 3, left = y;
  for (uint k = 0; k < 9; ++k) {
    uint v = in[(k * 7 + x) & 63];
    if ((y + k) & 1) {
      factor = by_row[y] | 1;
      left += k;
    } else if (y % 3 == k % 3) {
      factor ^= by_row[23 - y];
    }
    sum = (sum ^ v) * factor + left;
  }
  if (y & 2 && get_local_id(0) == 0 && get_group_id(0) == 0)
    rows[y] = left;
  out[y * 64 + x] = sum;
}
//! kernel same_value dims 2 global 32 16 local 32 16
//! arg out uint 512 zero
//! arg scratch uint 16 zero
//! arg in uint 512 random 5
kernel void same_value(global uint* out, global uint* rows, global const uint* in) {
  uint x = get_local_id(0), y = get_local_id(1), sum = 0;
  if (y % 4 != 1)
    rows[y] = y * 5;
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint k = 0; k < 16; ++k)
    sum += in[k * 32 + x] * (k % 4 == 1 ? y : rows[k] + y);
  out[y * 32 + x] = sum;
}
// Two elements of each dimension for a work-item, of a tile that is read along its columns; groups at the end have none.
//! kernel columns dims 2 global 24 24 local 8 8
//! arg out uint 2304 zero
//! arg in uint 2304 random 6
//! arg in uint 2304 random 7
//! arg value int 29000000
kernel void columns(global uint* c, global const uint* a, global const uint* b, int n) {
  local uint ta[16 * 17], tb[16 * 17];
  int lx = get_local_id(0), ly = get_local_id(1), m0 = get_group_id(0) * 16, n0 = get_group_id(1) * 16;
  uint sums[4] = {0, 0, 0, 0};
  if (m0 + lx * 2 < n / 16 * 16 && n0 + ly * 2 < n / 16 * 16) {
    for (int k0 = 0; k0 < n / 16 * 16; k0 += 16) {
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          ta[(ly * 2 + j) * 17 + lx * 2 + i] = a[(m0 + ly * 2 + j) * n + k0 + lx * 2 + i];
          tb[(ly * 2 + j) * 17 + lx * 2 + i] = b[(k0 + ly * 2 + j) * n + n0 + lx * 2 + i];
        }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int k = 0; k < 16; ++k)
        for (int i = 0; i < 4; ++i)
          sums[i] += ta[(lx * 2 + (i & 1)) * 17 + k] * tb[k * 17 + ly * 2 + (i >> 1)];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 4; ++i)
      c[(n0 + ly * 2 + (i >> 1)) * 48 + m0 + lx * 2 + (i & 1)] = sums[i];
  } else {
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < 4; ++i) {
        uint v = m0 + lx * 2 + (i & 1) < n ? a[(m0 + lx * 2 + (i & 1)) * n + k] : 1;
        uint w = n0 + ly * 2 + (i >> 1) < n ? b[k * n + n0 + ly * 2 + (i >> 1)] : 2;
        sums[i] += v * w;
      }
    for (int i = 0; i < 4; ++i)
      c[(n0 + ly * 2 + (i >> 1)) * 48 + m0 + lx * 2 + (i & 1)] = sums[i];
  }
}
// Accesses that are the same in all rows, in rows that alone take part.
//! kernel flag dims 2 global 32 16 local 32 16
//! arg out uint 512 zero
//! arg out uint 4 zero
//! arg in uint 64 random 8
//! arg value int 05000000
kernel void flag(global uint* out, global uint* flags, global const uint* in, uint n) {
  uint x = get_local_id(0), y = get_local_id(1), sum = x;
  out[y * 32 + x] = sum;
  if (y == n)
    flags[0] = 7;
}
//! kernel value dims 2 global 32 16 local 32 16
//! arg out uint 512 zero
//! arg in uint 64 random 8
//! arg value int 05000000
kernel void value(global uint* out, global const uint* in, uint n) {
  uint x = get_local_id(0), y = get_local_id(1), sum = x;
  if (y == n)
    sum += in[n + 1] * y;
  out[y * 32 + x] = sum;
}
//! kernel columns_of_rows dims 2 global 32 16 local 32 16
//! arg out uint 512 zero
//! arg out uint 64 zero
//! arg in uint 64 random 8
//! arg value int 05000000
kernel void columns_of_rows(global uint* out, global uint* columns, global const uint* in, uint n) {
  uint x = get_local_id(0), y = get_local_id(1), sum = x;
  out[y * 32 + x] = sum;
  if ((x + y) % 16 == 1)
    columns[x] = x + in[x];
  if (y == n + 4)
    columns[x + 32] = x * 3;
}
//! kernel lane dims 2 global 32 16 local 32 16
//! arg out uint 512 zero
//! arg out uint 64 zero
//! arg in uint 64 random 8
//! arg value int 05000000
kernel void lane(global uint* out, global uint* flags, global const uint* in, uint n) {
  uint x = get_local_id(0), y = get_local_id(1), sum = x;
  out[y * 32 + x] = sum;
  if (y == n && x == 9)
    flags[2] = x + n;
}
// expect product 5e04743675c8d4db
// expect ways 213ca3dac53fe185
// expect same_value d738194201f07fe5
// expect columns f15ae3e280d98338
// expect flag 87a5806918372198
// expect value 252330942222c02c
// expect columns_of_rows ee7030d2d03d0f3e
// expect lane 2949f028949c9fc5
