// Loops that a group shares: what an item has done before its rounds, and does after them, is its own.
// expect read_before d7808436008383b4
// expect write_before 41a26505b1bf9383
// expect twice c10a314cf7250ea3
// expect around c19c94fd1731d589
// expect sometimes aab7bd73043a5eb8
// expect rows ca6febc1dbb4a722
// expect after 7d6403f2df87a3f6
// expect buffers 999e822083a567bf
//! options -cl-std=CL3.0
//! kernel read_before dims 1 global 192 local 96
//! arg out uint 400 random 1
//! arg value uint 60000000
//! kernel write_before dims 1 global 192 local 96
//! arg out uint 400 random 2
//! arg value uint 60000000
//! kernel twice dims 1 global 256 local 128
//! arg out uint 1200 random 3
//! arg value uint 2c010000
//! kernel around dims 1 global 200 local 100
//! arg out uint 1200 random 4
//! arg value uint c8000000
//! kernel sometimes dims 1 global 128 local 64
//! arg out uint 1200 random 5
//! arg value uint 90000000
//! kernel rows dims 2 global 80 8 local 40 4
//! arg out uint 4000 random 6
//! arg value uint 64000000
//! kernel after dims 1 global 130 local 65
//! arg out uint 1200 random 7
//! arg value uint 2b010000
//! kernel buffers dims 1 global 128 local 64
//! arg out uint 2400 random 8
//! arg value uint 80000000
kernel void read_before(global uint* out, uint n) {
  local uint t[256];
  uint l = get_local_id(0), s = get_local_size(0), base = get_group_id(0) * 200;
  t[l] = out[base + l];
  t[l + 96] = 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint old = t[l];
  for (uint i = l; i < n; i += s)
    t[i] = i * 3;
  out[base + l] = old + t[l];
  out[base + 100 + l] = t[l + 96];
}
kernel void write_before(global uint* out, uint n) {
  local uint t[256];
  uint l = get_local_id(0), s = get_local_size(0), base = get_group_id(0) * 200;
  t[l] = out[base + l] + l;
  for (uint i = l; i < n; i += s)
    out[base + 100 + i] = t[i] * 5;
  t[l] += 1;
  for (uint i = l; i < n; i += s)
    t[i] *= 2;
  out[base + l] = t[l];
}
kernel void twice(global uint* out, uint n) {
  local uint t[512];
  uint l = get_local_id(0), s = get_local_size(0), base = get_group_id(0) * 600;
  for (uint i = l; i < n; i += s)
    t[i] = out[base + i];
  for (uint i = l; i < n; i += s)
    out[base + i] = t[i] * t[i] + i;
  for (uint i = l; i < n; i += s)
    out[base + 300 + i] = out[base + i] + t[i];
}
kernel void around(global uint* out, uint n) {
  local uint t[256];
  uint l = get_local_id(0), s = get_local_size(0), base = get_group_id(0) * 600;
  uint sum = 0;
  for (uint r = 0; r < 3; ++r) {
    for (uint i = l; i < n; i += s)
      t[i] = out[base + r * 200 + i] + r;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[(l * 7 + r) % n];
    if (r != 1)
      barrier(CLK_LOCAL_MEM_FENCE);
    else {
      barrier(CLK_LOCAL_MEM_FENCE);
      sum ^= t[n - 1 - l];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  out[base + l] = sum;
}
kernel void sometimes(global uint* out, uint n) {
  local uint t[256];
  uint l = get_local_id(0), s = get_local_size(0), base = get_group_id(0) * 600;
  for (uint i = l; i < n; i += s)
    t[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (uint r = 0; r < 4; ++r) {
    if (r & 1)
      barrier(CLK_LOCAL_MEM_FENCE);
    sum = sum * 3 + t[l];
    if (r == n)
      barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = l; i < n; i += s)
      t[i] = t[i] * 2 + r;
  }
  out[base + l] = sum;
}
kernel void rows(global uint* out, uint n) {
  local uint t[4][128];
  uint l = get_local_id(0), y = get_local_id(1), s = get_local_size(0);
  uint base = (get_group_id(1) * 2 + get_group_id(0)) * 1000 + y * 200;
  for (uint i = l; i < n; i += s)
    t[y][i] = out[base + i] + y;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint v = t[(y + 1) & 3][l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = l; i < n; i += s)
    t[y][i] *= 3;
  out[base + 120 + l] = v + t[y][l];
}
kernel void after(global uint* out, uint n) {
  local uint t[512];
  uint l = get_local_id(0), s = get_local_size(0), base = get_group_id(0) * 600;
  for (uint i = l; i < n; i += s)
    t[i] = out[base + i];
  t[l] += 5;
  for (uint i = l; i < n; i += s)
    t[i] = t[i] * 3 + i;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = l; i < n; i += s)
    out[base + 300 + i] = t[n - 1 - i];
}
kernel void buffers(global uint* out, uint n) {
  local uint t[2][128];
  uint l = get_local_id(0), s = get_local_size(0), base = get_group_id(0) * 1200;
  uint sum = 0;
  for (uint i = l; i < n; i += s)
    t[0][i] = out[base + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint r = 0; r < 6; ++r) {
    if (r < 5)
      for (uint i = l; i < n; i += s)
        t[(r + 1) & 1][i] = out[base + (r + 1) * 128 + i];
    sum = sum * 31 + t[r & 1][(l * 5) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[base + 1000 + l] = sum;
}
