// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Geometric functions, OpenCL C 6.15.5, for scalars and vectors of 2, 3 and 4 components.
//
// length, distance and normalize must have no intermediate overflow or underflow: the plain sum of
// squares is used where it is safe, and a rarely taken branch handles the rest.
#include "builtins.h"

// Sums of products. Halves are summed as floats, which represent them exactly.
#define DOT_SCALAR(T)                                                                              \
  OVERLOAD T dot(T a, T b) { return a * b; }
#define DOT_VECTOR(T)                                                                              \
  OVERLOAD T dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; }                                 \
  OVERLOAD T dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                     \
  OVERLOAD T dot(T##4 a, T##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
DOT_SCALAR(float)
DOT_SCALAR(double)
DOT_SCALAR(half)
DOT_VECTOR(float)
DOT_VECTOR(double)
#define DOT_HALF(N)                                                                                \
  OVERLOAD half dot(half##N a, half##N b) {                                                        \
    return (half)dot(__builtin_convertvector(a, float##N), __builtin_convertvector(b, float##N));  \
  }
DOT_HALF(2)
DOT_HALF(3)
DOT_HALF(4)

// The last component of a 4-vector is 0.
#define CROSS(T)                                                                                   \
  OVERLOAD T##3 cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }                    \
  OVERLOAD T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), (T)0); }
CROSS(float)
CROSS(double)
CROSS(half)

// Scalars: the length is the magnitude, the direction is the sign.
#define SCALAR_GEOMETRY(T)                                                                         \
  OVERLOAD T length(T p) { return __builtin_elementwise_abs(p); }                                  \
  OVERLOAD T distance(T a, T b) { return length(a - b); }                                          \
  OVERLOAD T normalize(T p) {                                                                      \
    return p == (T)0 || p != p ? p : __builtin_elementwise_copysign((T)1, p);                      \
  }
SCALAR_GEOMETRY(float)
SCALAR_GEOMETRY(double)
SCALAR_GEOMETRY(half)

// A sum of squares within these bounds has no significant overflow or underflow.
HELPER bool is_safe(float sum) { return sum >= 0x1p-100f && sum < INFINITY; }
HELPER bool is_safe(double sum) { return sum >= 0x1p-900 && sum < (double)INFINITY; }

#define MAX(a, b) ((a) < (b) ? (b) : (a))
#define ABS(v) __builtin_elementwise_abs(v)
#define LARGEST_2(v) MAX((v).x, (v).y)
#define LARGEST_3(v) MAX(LARGEST_2(v), (v).z)
#define LARGEST_4(v) MAX(LARGEST_3(v), (v).w)

// The largest power of two that is at most m, the largest component of a vector whose square is not
// safe, clamped so that its reciprocal is normal too. After dividing by it nothing overflows, and
// denormal results are insignificant.
HELPER float unscale_for(float m) {
  return as_float(clamp(as_uint(m) & 0x7f800000u, 0x00800000u, 0x7e800000u));
}
HELPER double unscale_for(double m) {
  return as_double(
      clamp(as_ulong(m) & 0x7ff0000000000000ul, 0x0010000000000000ul, 0x7fd0000000000000ul));
}
HELPER float scale_for(float m) { return 1.0f / unscale_for(m); }
HELPER double scale_for(double m) { return 1.0 / unscale_for(m); }

#define VECTOR_GEOMETRY(T, N)                                                                      \
  OVERLOAD T length(T##N p) {                                                                      \
    T sum = dot(p, p);                                                                             \
    if (is_safe(sum))                                                                              \
      return __builtin_elementwise_sqrt(sum);                                                      \
    T##N magnitude = ABS(p);                                                                       \
    T largest = LARGEST_##N(magnitude);                                                            \
    T##N q = p * scale_for(largest);                                                               \
    return __builtin_elementwise_sqrt(dot(q, q)) * unscale_for(largest);                           \
  }                                                                                                \
  OVERLOAD T distance(T##N a, T##N b) { return length(a - b); }                                    \
  OVERLOAD T##N normalize(T##N p) {                                                                \
    T sum = dot(p, p);                                                                             \
    if (!is_safe(sum)) {                                                                           \
      if (sum != sum)                                                                              \
        return (T##N)(T)NAN;                                                                       \
      T##N magnitude = ABS(p);                                                                     \
      T largest = LARGEST_##N(magnitude);                                                          \
      if (largest == (T)0)                                                                         \
        return p;                                                                                  \
      if (largest == (T)INFINITY) {                                                                \
        T##N unit = __builtin_elementwise_copysign((T##N)(T)1, p);                                 \
        p = magnitude == (T##N)(T)INFINITY ? unit : __builtin_elementwise_copysign((T##N)(T)0, p); \
      } else {                                                                                     \
        p *= scale_for(largest);                                                                   \
      }                                                                                            \
      sum = dot(p, p);                                                                             \
    }                                                                                              \
    return p * ((T)1 / __builtin_elementwise_sqrt(sum));                                           \
  }
VECTOR_GEOMETRY(float, 2)
VECTOR_GEOMETRY(float, 3)
VECTOR_GEOMETRY(float, 4)
VECTOR_GEOMETRY(double, 2)
VECTOR_GEOMETRY(double, 3)
VECTOR_GEOMETRY(double, 4)

// Halves: a float represents the sum of squares of any halves.
#define HALF_GEOMETRY(N)                                                                           \
  OVERLOAD half length(half##N p) {                                                                \
    float##N q = __builtin_convertvector(p, float##N);                                             \
    return (half)__builtin_elementwise_sqrt(dot(q, q));                                            \
  }                                                                                                \
  OVERLOAD half distance(half##N a, half##N b) {                                                   \
    float##N q = __builtin_convertvector(a, float##N) - __builtin_convertvector(b, float##N);      \
    return (half)__builtin_elementwise_sqrt(dot(q, q));                                            \
  }                                                                                                \
  OVERLOAD half##N normalize(half##N p) {                                                          \
    return __builtin_convertvector(normalize(__builtin_convertvector(p, float##N)), half##N);      \
  }
HALF_GEOMETRY(2)
HALF_GEOMETRY(3)
HALF_GEOMETRY(4)

// The fast functions may overflow. A vector whose squared length is not a normal number is returned
// unchanged, as 6.15.5 allows.
OVERLOAD float fast_length(float p) { return length(p); }
OVERLOAD float fast_distance(float a, float b) { return length(a - b); }
OVERLOAD float fast_normalize(float p) { return normalize(p); }
#define FAST_GEOMETRY(N)                                                                           \
  OVERLOAD float fast_length(float##N p) { return __builtin_elementwise_sqrt(dot(p, p)); }         \
  OVERLOAD float fast_distance(float##N a, float##N b) { return fast_length(a - b); }              \
  OVERLOAD float##N fast_normalize(float##N p) {                                                   \
    float sum = dot(p, p);                                                                         \
    return p * (sum < FLT_MIN ? 1.0f : 1.0f / __builtin_elementwise_sqrt(sum));                    \
  }
FAST_GEOMETRY(2)
FAST_GEOMETRY(3)
FAST_GEOMETRY(4)
