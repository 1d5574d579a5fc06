// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with pointer parameters, through which tests call builtins on vectors.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define GEOMETRY(T, N)                                                                             \
  void dot_##T##N(const T* a, const T* b, T* out) { *out = dot(vload##N(0, a), vload##N(0, b)); }  \
  void length_##T##N(const T* a, const T* b, T* out) { *out = length(vload##N(0, a)); }            \
  void distance_##T##N(const T* a, const T* b, T* out) {                                           \
    *out = distance(vload##N(0, a), vload##N(0, b));                                               \
  }                                                                                                \
  void normalize_##T##N(const T* a, const T* b, T* out) {                                          \
    vstore##N(normalize(vload##N(0, a)), 0, out);                                                  \
  }
#define FAST(N)                                                                                    \
  void fast_length_float##N(const float* a, const float* b, float* out) {                          \
    *out = fast_length(vload##N(0, a));                                                            \
  }                                                                                                \
  void fast_normalize_float##N(const float* a, const float* b, float* out) {                       \
    vstore##N(fast_normalize(vload##N(0, a)), 0, out);                                             \
  }
#define GEOMETRY_ALL(T)                                                                            \
  GEOMETRY(T, 2) GEOMETRY(T, 3) GEOMETRY(T, 4) void cross_##T##3(const T* a, const T* b, T* out) { \
    vstore3(cross(vload3(0, a), vload3(0, b)), 0, out);                                            \
  }                                                                                                \
  void cross_##T##4(const T* a, const T* b, T* out) {                                              \
    vstore4(cross(vload4(0, a), vload4(0, b)), 0, out);                                            \
  }
GEOMETRY_ALL(float)
GEOMETRY_ALL(double)
GEOMETRY_ALL(half)
FAST(2)
FAST(3)
FAST(4)

// Copies count vectors of N from `in` to `out` through vload and vstore.
#define MOVE(T, N)                                                                                 \
  void move_##T##N(const T* in, T* out, size_t count) {                                            \
    for (size_t i = 0; i < count; ++i)                                                             \
      vstore##N(vload##N(i, in), i, out);                                                          \
  }
#define MOVE_ALL(T) MOVE(T, 2) MOVE(T, 3) MOVE(T, 4) MOVE(T, 8) MOVE(T, 16)
MOVE_ALL(char)
MOVE_ALL(ushort)
MOVE_ALL(int)
MOVE_ALL(double)
MOVE_ALL(half)

// The same for halves converted to floats.
#define MOVE_HALF(A, N)                                                                            \
  void move_v##A##_half##N(const half* in, half* out, size_t count) {                              \
    for (size_t i = 0; i < count; ++i)                                                             \
      vstore##A##_half##N(vload##A##_half##N(i, in), i, out);                                      \
  }
#define MOVE_HALF_ALL(A)                                                                           \
  MOVE_HALF(A, 2) MOVE_HALF(A, 3) MOVE_HALF(A, 4) MOVE_HALF(A, 8) MOVE_HALF(A, 16)
MOVE_HALF_ALL(a)
MOVE_HALF_ALL()

#define SHUFFLE(N, M)                                                                              \
  void shuffle_##N##_##M(const int* x, const int* y, const uint* mask, int* one, int* two) {       \
    vstore##N(shuffle(vload##M(0, x), vload##N(0, mask)), 0, one);                                 \
    vstore##N(shuffle2(vload##M(0, x), vload##M(0, y), vload##N(0, mask)), 0, two);                \
  }
#define SHUFFLE_TO(N) SHUFFLE(N, 2) SHUFFLE(N, 4) SHUFFLE(N, 8) SHUFFLE(N, 16)
SHUFFLE_TO(2)
SHUFFLE_TO(4)
SHUFFLE_TO(8)
SHUFFLE_TO(16)

// Relational functions: one scalar and one vector variant, all results in order.
#define RELATIONAL(T, R)                                                                           \
  void relational_##T(const T* a, const T* b, R* out) {                                            \
    T x = *a, y = *b;                                                                              \
    out[0] = isequal(x, y);                                                                        \
    out[1] = isnotequal(x, y);                                                                     \
    out[2] = isgreater(x, y);                                                                      \
    out[3] = isgreaterequal(x, y);                                                                 \
    out[4] = isless(x, y);                                                                         \
    out[5] = islessequal(x, y);                                                                    \
    out[6] = islessgreater(x, y);                                                                  \
    out[7] = isordered(x, y);                                                                      \
    out[8] = isunordered(x, y);                                                                    \
    out[9] = isnan(x);                                                                             \
    out[10] = isinf(x);                                                                            \
    out[11] = isfinite(x);                                                                         \
    out[12] = isnormal(x);                                                                         \
    out[13] = signbit(x);                                                                          \
  }
RELATIONAL(float, int)
RELATIONAL(double, int)
RELATIONAL(half, int)
RELATIONAL(float2, int2)
RELATIONAL(double2, long2)
RELATIONAL(half2, short2)

#define SELECT(T, S, N)                                                                            \
  void select_##T##N(const T* a, const T* b, const S* c, T* out) {                                 \
    vstore##N(select(vload##N(0, a), vload##N(0, b), vload##N(0, c)), 0, out);                     \
  }                                                                                                \
  int any_##S##N(const S* c) { return any(vload##N(0, c)); }                                       \
  int all_##S##N(const S* c) { return all(vload##N(0, c)); }
SELECT(float, int, 2)
SELECT(float, int, 3)
SELECT(float, int, 4)
SELECT(float, int, 8)
SELECT(float, int, 16)
float select_float(float a, float b, int c) { return select(a, b, c); }
int any_int(int x) { return any(x); }
int all_int(int x) { return all(x); }
float bitselect_float(float a, float b, float c) { return bitselect(a, b, c); }
