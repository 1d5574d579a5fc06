// Loads of bytes and shorts of which some lanes are active, with and without values for the others; and private arrays
// that are read from memory, sorted and written.
// expect search_bytes 4a35d6ebfc9e9755
// expect search_shorts 68d545c66bfedef5
// expect sum_bytes 2a1e2a7d6fabea71
// expect sum_shorts f851c84e40520a69
// expect sum_words 4f53f25f38047b39
// expect sort 3a2c505acd998e71
//! options -cl-std=CL3.0

#define SEARCH(name, type) \
  kernel void name(global uint* out, global const type* in) { \
    uint i = get_global_id(0), found = 0; \
    for (uint k = 0; k < 24; ++k) { \
      uint j = 0; \
      while (j < 4 && (in[i + k + j] & 3) == (in[j] & 3)) ++j; \
      found = found * 5 + j; \
    } \
    out[i] = found; \
  }
//! kernel search_bytes dims 1 global 200 local 40
//! arg out uint 200 zero
//! arg in uchar 300 random 1
SEARCH(search_bytes, uchar)
//! kernel search_shorts dims 1 global 200 local 40
//! arg out uint 200 zero
//! arg in ushort 300 random 2
SEARCH(search_shorts, ushort)

// What is added up are the values of active lanes.
#define SUM(name, type) \
  kernel void name(global int* out, global const type* in) { \
    int i = get_global_id(0), sum = 0; \
    for (int k = 0; k < 16; ++k) { \
      int x = k; \
      if ((i ^ k) & 5) x = in[i + k]; \
      sum = sum * 3 + x; \
    } \
    out[i] = sum; \
  }
//! kernel sum_bytes dims 1 global 130 local 65
//! arg out int 130 zero
//! arg in char 160 random 3
SUM(sum_bytes, char)
//! kernel sum_shorts dims 1 global 130 local 65
//! arg out int 130 zero
//! arg in short 160 random 4
SUM(sum_shorts, short)
//! kernel sum_words dims 1 global 130 local 65
//! arg out int 130 zero
//! arg in int 160 random 5
SUM(sum_words, int)

//! kernel sort dims 1 global 90 local 30
//! arg out int 720 zero
//! arg in int 720 random 6
kernel void sort(global int* out, global const int* in) {
  int i = get_global_id(0), v[8];
  for (int k = 0; k < 8; ++k)
    v[k] = in[8 * i + k];
  for (int p = 0; p < 8; ++p)
    for (int q = 0; q < 7; ++q)
      if (v[q] > v[q + 1]) {
        int t = v[q];
        v[q] = v[q + 1];
        v[q + 1] = t;
      }
  for (int k = 0; k < 8; ++k)
    out[8 * i + k] = v[k];
}
