// Many barriers in loops and conditions, where the code after one is reached from many others.
// expect in_sequence 49c5f765e7dbb5ae
// expect in_a_loop 63d53d4f5cda84cd
// expect in_a_switch 92456e19e60cb476
// expect unknown_bounds 1a7267cb6e70132d
// expect with_lane_loops accea449b33e0e7f
//! options -cl-std=CL3.0
//! kernel in_sequence dims 1 global 200 local 100
//! arg out uint 400 random 1
//! arg local uint 100
//! arg value uint 03000000
//! kernel in_a_loop dims 1 global 192 local 96
//! arg out uint 400 random 2
//! arg local uint 100
//! arg value uint 05000000
//! kernel in_a_switch dims 2 global 40 8 local 20 4
//! arg out uint 800 random 3
//! arg local uint 100
//! arg value uint 1d000000
//! kernel unknown_bounds dims 1 global 130 local 65
//! arg out uint 400 random 4
//! arg local uint 100
//! arg in uint 32 random 5
//! kernel with_lane_loops dims 1 global 128 local 64
//! arg out uint 400 random 6
//! arg local uint 100
//! arg value uint 04000000
#define EXCHANGE(k)                                                                                \
  t[l] = v + k;                                                                                    \
  barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
  v = v * 3 + t[(l + k) % size];                                                                   \
  barrier(CLK_LOCAL_MEM_FENCE);
#define TWELVE(STEP)                                                                               \
  STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11) STEP(12)
#define IDS                                                                                        \
  uint l = get_local_linear_id(), i = get_global_linear_id();                                      \
  uint size = get_local_size(0) * get_local_size(1);                                               \
  uint v = out[i], w = out[i] ^ l;

#define LOOP(k)                                                                                    \
  for (uint c = 0; c < n; ++c) {                                                                   \
    w += c;                                                                                        \
    if ((k ^ c) & 1) {                                                                             \
      EXCHANGE(k)                                                                                  \
    }                                                                                              \
  }                                                                                                \
  w ^= v;
kernel void in_sequence(global uint* out, local uint* t, uint n) {
  IDS
  TWELVE(LOOP)
  out[i] = v ^ w;
}

#define NEST(k)                                                                                    \
  for (uint d = 0; d < (n + k) % 3; ++d) {                                                         \
    if ((c ^ k ^ d) & 1) {                                                                         \
      EXCHANGE(k)                                                                                  \
      w += d;                                                                                      \
    }                                                                                              \
    w = w * 5 + v;                                                                                 \
  }
kernel void in_a_loop(global uint* out, local uint* t, uint n) {
  IDS
  for (uint c = 0; c < n; ++c) {
    TWELVE(NEST)
    w += c;
  }
  out[i] = v ^ w;
}

#define CASE(k)                                                                                    \
  case k:                                                                                          \
    EXCHANGE(k)                                                                                    \
    w += v >> k;                                                                                   \
    break;
kernel void in_a_switch(global uint* out, local uint* t, uint n) {
  IDS
  for (uint c = 0; c < n; ++c) {
    switch ((c * 7) % 14) {
      TWELVE(CASE)
    default:
      w = w * 3 + c;
    }
    w ^= v;
  }
  out[i] = v ^ w;
}

// What is loaded may differ between sub-groups for all that the compiler knows.
#define BOUND(k)                                                                                   \
  for (uint c = 0; c < (bounds[k] & 3); ++c) {                                                     \
    EXCHANGE(k)                                                                                    \
    w += c;                                                                                        \
    if (bounds[k + 1] & 4) {                                                                       \
      EXCHANGE(k + 1)                                                                              \
      w ^= v;                                                                                      \
    }                                                                                              \
  }
kernel void unknown_bounds(global uint* out, local uint* t, global const uint* bounds) {
  IDS
  for (uint round = 0; round < 3; ++round) {
    TWELVE(BOUND)
  }
  out[i] = v ^ w;
}

// Loops without barriers between them, whose trip counts differ by lane.
#define LANES(k)                                                                                   \
  for (uint c = 0; c < (v & 7); ++c)                                                               \
    w = w * 9 + (c ^ k);                                                                           \
  if ((n ^ k) & 3) {                                                                               \
    EXCHANGE(k)                                                                                    \
    if ((l ^ w) & 1)                                                                               \
      v += w;                                                                                      \
  }
kernel void with_lane_loops(global uint* out, local uint* t, uint n) {
  IDS
  for (uint round = 0; round < n; ++round) {
    TWELVE(LANES)
  }
  out[i] = v ^ w;
}
