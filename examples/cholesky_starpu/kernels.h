// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three operations on tiles of a Cholesky factorization, for processors and for OpenCL. Tiles
// are square, row by row. Both do the same operations in the same order, so that it does not matter
// for the result which one ran.
#pragma once

namespace cholesky {

// The lower triangle L of tile = L * transposed L, in its place.
void factorize(double* tile, int size);
// tile := tile * inverse of transposed `lower`.
void solve(const double* lower, double* tile, int size);
// tile -= left * transposed right.
void subtract_product(const double* left, const double* right, double* tile, int size);

inline const char* const kSource = R"(
#pragma OPENCL FP_CONTRACT OFF

kernel void factorize(global double* tile, int size) {
  for (int c = 0; c < size; ++c)
    for (int r = c; r < size; ++r) {
      double value = tile[r * size + c];
      for (int p = 0; p < c; ++p)
        value -= tile[r * size + p] * tile[c * size + p];
      tile[r * size + c] = r == c ? sqrt(value) : value / tile[c * size + c];
    }
}

kernel void solve(const global double* lower, global double* tile, int size) {
  global double* row = tile + get_global_id(0) * size;
  for (int c = 0; c < size; ++c) {
    double value = row[c];
    for (int p = 0; p < c; ++p)
      value -= row[p] * lower[c * size + p];
    row[c] = value / lower[c * size + c];
  }
}

kernel void subtract_product(const global double* left, const global double* right, global double* tile, int size) {
  const int c = get_global_id(0), r = get_global_id(1);
  double value = tile[r * size + c];
  for (int p = 0; p < size; ++p)
    value -= left[r * size + p] * right[c * size + p];
  tile[r * size + c] = value;
}
)";

} // namespace cholesky
