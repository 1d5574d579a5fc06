// Two, three and four adjacent elements of each work-item, accessed in any order, in part, under conditions, and in
// turn with accesses through other pointers and the same one.
// expect whole_bytes f42c95996240d7a0
// expect whole_shorts 80ef58eb1218f8d8
// expect whole_words 5b668ceea5bb1cce
// expect whole_longs 676398a8ee04b757
// expect part_bytes c72f06fe19a0145e
// expect part_shorts 90d388013d3c5f28
// expect part_words e7c2d9a2d82eb569
// expect own_bytes bf4f5d39f424eac9
// expect own_shorts 96dc75362402e186
// expect own_words b0e3929e409bcb0e
// expect own_longs 0dbd2d571f9210ee
// expect turns_bytes a563c0895385ba77
// expect turns_words 4ca949eaad630d4b
// expect wrapped 653bb2a2ea58f79c
// expect loops_bytes 0fcdf026bb39700e
// expect loops_words 00fd8556227d0963
//! options -cl-std=CL3.0

// All elements, in other orders.
#define WHOLE(name, type, index) \
  kernel void name(global type* out, global const type* in) { \
    const index i = get_global_id(0); \
    const type d = in[4 * i + 3], a = in[4 * i], c = in[4 * i + 2], b = in[4 * i + 1]; \
    out[4 * i + 1] = a + d; \
    out[4 * i + 3] = c; \
    out[4 * i] = b ^ d; \
    out[4 * i + 2] = d; \
    out[400 + 2 * i + 1] = in[400 + 2 * i] - a; \
    out[400 + 2 * i] = in[400 + 2 * i + 1] + b; \
  }
//! kernel whole_bytes dims 1 global 100 local 50
//! arg out uchar 600 random 1
//! arg in uchar 600 random 2
WHOLE(whole_bytes, uchar, int)
//! kernel whole_shorts dims 1 global 100 local 50
//! arg out ushort 600 random 1
//! arg in ushort 600 random 2
WHOLE(whole_shorts, ushort, uint)
//! kernel whole_words dims 1 global 100 local 50
//! arg out uint 600 random 1
//! arg in uint 600 random 2
WHOLE(whole_words, uint, size_t)
//! kernel whole_longs dims 1 global 100 local 50
//! arg out ulong 600 random 1
//! arg in ulong 600 random 2
WHOLE(whole_longs, ulong, int)

// Some elements: the last work-item's others are outside of the buffer.
#define PART(name, type) \
  kernel void name(global type* out, global const type* in) { \
    const int i = get_global_id(0); \
    out[i] = in[4 * i] * 3 + in[4 * i + 1] * 5 + in[4 * i + 2] * 7; \
    out[100 + i] = in[4 * i - (i > 50) * 4 + 1] ^ in[4 * i + 2]; \
    out[200 + 4 * i] = out[i]; \
    out[200 + 4 * i + 2] = out[100 + i]; \
    out[200 + 4 * i + 3] = in[3 * i + 1] - in[3 * i + 2]; \
    if (i < 98) \
      out[600 + i] = in[4 * i + 5] + in[4 * i + 6] - in[4 * i + 7] + in[4 * i + 8]; \
  }
//! kernel part_bytes dims 1 global 100 local 50
//! arg out uchar 700 random 3
//! arg in uchar 399 random 4
PART(part_bytes, uchar)
//! kernel part_shorts dims 1 global 100 local 50
//! arg out ushort 700 random 3
//! arg in ushort 399 random 4
PART(part_shorts, ushort)
//! kernel part_words dims 1 global 100 local 50
//! arg out uint 700 random 3
//! arg in uint 399 random 4
PART(part_words, uint)

// At addresses of the work-items' own, in some of them.
#define OWN(name, type) \
  kernel void name(global type* out, global const type* in, global const uint* at) { \
    const int i = get_global_id(0); \
    const uint p = at[i] % 100; \
    out[i] = in[4 * p] + in[4 * p + 1] * 3 + in[4 * p + 2] * 5 + in[4 * p + 3] * 7; \
    if (at[i] & 64) { \
      out[100 + 6 * i + 1] = in[4 * p + 2] + in[4 * p + 3]; \
      out[100 + 6 * i] = in[4 * p + 1]; \
      out[100 + 6 * i + 2] = in[6 * (i % 60)] + in[6 * (i % 60) + 1]; \
      out[100 + 6 * i + 3] = p; \
    } \
    for (int k = 0; k < (int)(at[i] & 3); ++k) \
      out[700 + 8 * i + k] += in[32 + 3 * i + k] + in[32 + 3 * i + k + 1] + in[2 * p + k] + in[2 * p + k + 1]; \
  }
//! kernel own_bytes dims 1 global 100 local 50
//! arg out uchar 1500 random 5
//! arg in uchar 400 random 6
//! arg in uint 100 random 7
OWN(own_bytes, uchar)
//! kernel own_shorts dims 1 global 100 local 50
//! arg out ushort 1500 random 5
//! arg in ushort 400 random 6
//! arg in uint 100 random 7
OWN(own_shorts, ushort)
//! kernel own_words dims 1 global 100 local 50
//! arg out uint 1500 random 5
//! arg in uint 400 random 6
//! arg in uint 100 random 7
OWN(own_words, uint)
//! kernel own_longs dims 1 global 100 local 50
//! arg out ulong 1500 random 5
//! arg in ulong 400 random 6
//! arg in uint 100 random 7
OWN(own_longs, ulong)

// In place, where loads follow stores to the same place and its neighbors.
#define TURNS(name, type) \
  kernel void name(global type* restrict out, global type* own, global const uint* at) { \
    const size_t i = get_global_id(0), p = 4 * i, q = at[i] % 4; \
    out[p + 1] = own[p]; \
    own[p + q] += 1; \
    out[p] = own[p + 1] + own[p + 2]; \
    out[p + 3] = own[p + 3]; \
    out[p + 2] = own[p + q]; \
    own[p + 2] = own[p] - own[p + 3]; \
    own[p + 3] = own[p + 2] ^ own[p + 1]; \
    own[p] = out[p + q]; \
    own[p + 1] = own[p + 3] + 9; \
    out[400 + 2 * i] = own[400 + 2 * i + 1]; \
    own[400 + 2 * i + 1] = own[400 + 2 * i] + 1; \
    own[400 + 2 * i] = own[400 + 2 * i + 1] + 1; \
    out[400 + 2 * i + 1] = own[400 + 2 * i]; \
    out[400 + 2 * i + (q & 1)] ^= 5; \
  }
//! kernel turns_bytes dims 1 global 100 local 50
//! arg out uchar 600 random 8
//! arg out uchar 600 random 9
//! arg in uint 100 random 10
TURNS(turns_bytes, uchar)
//! kernel turns_words dims 1 global 100 local 50
//! arg out uint 600 random 8
//! arg out uint 600 random 9
//! arg in uint 100 random 10
TURNS(turns_words, uint)

// Indices that wrap around within a row of work-items.
//! kernel wrapped dims 1 global 100 local 50
//! arg out uint 800 random 11
//! arg in uint 800 random 12
//! arg in uint 1 random 13
kernel void wrapped(global uint* out, global const uint* in, global const uint* at) {
  const uint i = get_global_id(0), p = 2 * i + 4294967196u + (at[0] & 2);
  if (p < 4294967196u) {
    out[p] = in[p + 1];
    out[p + 1] = in[p];
  }
  const uint q = 4 * i + 3;
  out[400 + (q & 511)] = in[q + 1] + in[q + 2] + in[q - 1] + in[q];
}

// Loops over the elements, up and down.
#define LOOPS(name, type) \
  kernel void name(global type* out, global type* own, global const uint* at) { \
    const int i = get_global_id(0), p = at[i] % 50; \
    type sum = 0; \
    for (int c = 0; c < 3; ++c) \
      sum = sum * 3 + own[3 * i + c]; \
    for (int c = 3; c >= 0; --c) \
      out[4 * i + c] = own[4 * p + c] + sum; \
    for (int c = 0; c < 3; ++c) { \
      if (at[i] & 32) \
        own[300 + 3 * i + c] = own[300 + 3 * i + (c + 1) % 3] - c; \
      sum ^= out[4 * i + c + 1]; \
    } \
    for (int y = 0; y < 2; ++y) \
      for (int x = 0; x < 2; ++x) \
        sum = sum * 5 + own[(i / 10 * 2 + y) * 10 + i % 10 / 2 * 2 + x]; \
    out[400 + i] = sum; \
  }
//! kernel loops_bytes dims 1 global 100 local 50
//! arg out uchar 500 random 14
//! arg out uchar 600 random 15
//! arg in uint 100 random 16
LOOPS(loops_bytes, uchar)
//! kernel loops_words dims 1 global 100 local 50
//! arg out uint 500 random 14
//! arg out uint 600 random 15
//! arg in uint 100 random 16
LOOPS(loops_words, uint)
