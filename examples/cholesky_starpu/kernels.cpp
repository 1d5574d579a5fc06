// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled without contraction of a * b + c, as the OpenCL kernels are.
#include "kernels.h"

#include <cmath>

namespace cholesky {

void factorize(double* tile, int size) {
  for (int c = 0; c < size; ++c)
    for (int r = c; r < size; ++r) {
      double value = tile[r * size + c];
      for (int p = 0; p < c; ++p)
        value -= tile[r * size + p] * tile[c * size + p];
      tile[r * size + c] = r == c ? std::sqrt(value) : value / tile[c * size + c];
    }
}

void solve(const double* lower, double* tile, int size) {
  for (int r = 0; r < size; ++r) {
    double* row = tile + r * size;
    for (int c = 0; c < size; ++c) {
      double value = row[c];
      for (int p = 0; p < c; ++p)
        value -= row[p] * lower[c * size + p];
      row[c] = value / lower[c * size + c];
    }
  }
}

void subtract_product(const double* left, const double* right, double* tile, int size) {
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < size; ++c) {
      double value = tile[r * size + c];
      for (int p = 0; p < size; ++p)
        value -= left[r * size + p] * right[c * size + p];
      tile[r * size + c] = value;
    }
}

} // namespace cholesky
