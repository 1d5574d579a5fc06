// REQUIRES: x86
// RUN: %heddlec %s --cpu=x86-64-v4 -- -heddle-explain 2>&1 | FileCheck %s
// A loop that mostly updates memory at addresses of the lanes' own is faster one work-item after the other, also in
// groups with barriers: each update reads what the one before has written.
kernel void private_counts(global uint* out, global const uint4* in, local uchar* counts, uint n) {
  uint l = get_local_id(0);
  for (uint i = 0; i < 64; ++i)
    counts[i * 64 + l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < n; ++i) {
    uint x = in[l * n + i].x;
    counts[(x & 63) * 64 + l]++;
    counts[(x >> 6 & 63) * 64 + l]++;
    counts[(x >> 12 & 63) * 64 + l]++;
    counts[(x >> 18 & 63) * 64 + l]++;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = counts[l];
}
// CHECK: kernel 'private_counts': 1 work-item wide: its loops mostly gather
// Counts with a tag for each lane, written again until they are read back: seldom twice, and one after the other.
kernel void tagged(global uint* out, global const uint* in, volatile local uint* counts, uint n) {
  uint l = get_local_id(0), tag = l << 27;
  counts[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = l; i < n; i += get_local_size(0)) {
    uint x = in[i];
    for (uint shift = 0; shift < 32; shift += 8) {
      uint count;
      do {
        count = tag | ((counts[x >> shift & 255] & 0x7ffffff) + 1);
        counts[x >> shift & 255] = count;
      } while (counts[x >> shift & 255] != count);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = counts[l];
}
// CHECK: kernel 'tagged': 1 work-item wide: its loops mostly gather
// CHECK: kernel 'tagged': barriers: regions
// A sum of what is far apart, but near what the others read.
kernel void strided(global uint* out, global const uint* in, local uint* sums, uint n, uint step) {
  uint sum = 0;
  for (uint i = 0; i < n; ++i)
    sum += in[i * get_local_size(0) + get_local_id(0) * step];
  sums[get_local_id(0)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sums[get_local_id(0) ^ 1];
}
// CHECK: kernel 'strided': {{16|32}} work-items wide
