// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices as GPUs compute them: tiles are copied to local memory by the linear id, and
// each work-item sums several vectors. Numbers are small integers, so that sums are exact.
#include "tests/api/api_test.h"

#include <cstdlib>
#include <string>

namespace heddle::test {
namespace {

// c[n][m] = sum of a[k][m] * b[k][n]. Groups of X by Y compute tiles of X * V by Y * 2.
constexpr const char* kSource = R"(
  #define JOIN(a, b) a##b
  #define VECTOR(type, n) JOIN(type, n)
  typedef VECTOR(TYPE, V) vector;
  kernel __attribute__((reqd_work_group_size(X, Y, 1)))
  void product(global vector* c, global const TYPE* a, global const TYPE* b, int m, int n, int k) {
    local TYPE ta[D * X * V], tb[D * Y * 2];
    volatile int id = get_local_id(0) + X * get_local_id(1);
    vector s0 = 0, s1 = 0;
    for (int first = 0; first < k; first += D) {
      for (int i = id; i < D * X * V; i += X * Y)
        ta[i] = a[(first + i / (X * V)) * m + get_group_id(0) * X * V + i % (X * V)];
      for (int i = 0; i < (D * Y * 2) / (X * Y); ++i) {
        int to = id + i * X * Y;
        tb[to] = b[(first + to / (Y * 2)) * n + get_group_id(1) * Y * 2 + to % (Y * 2)];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < D; ++i) {
        vector v = ((local vector*)ta)[i * X + get_local_id(0)];
        s0 += v * tb[i * Y * 2 + get_local_id(1) * 2];
        s1 += v * tb[i * Y * 2 + get_local_id(1) * 2 + 1];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    int y = get_global_id(1) * 2;
    c[y * (m / V) + get_global_id(0)] = s0;
    c[(y + 1) * (m / V) + get_global_id(0)] = s1;
  })";

// The size of a group, the elements of a vector, and the depth of a tile.
struct Shape {
  size_t x, y, vector, depth;
};

class MatrixProduct : public ApiTest {
 protected:
  template <class T>
  void check(const std::string& type, const Shape& shape, size_t columns, size_t rows) {
    const auto tile = shape.x * shape.vector;
    const size_t m = tile * columns, n = shape.y * 2 * rows, k = shape.depth * 3;
    std::vector<T> a(k * m), b(k * n), expected(n * m);
    std::srand(1);
    for (auto* values : {&a, &b})
      for (auto& value : *values)
        value = static_cast<T>(std::rand() % 9 - 4);
    for (size_t i = 0; i < k; ++i)
      for (size_t y = 0; y < n; ++y)
        for (size_t x = 0; x < m; ++x)
          expected[y * m + x] += a[i * m + x] * b[i * n + y];
    const auto option = [](const char* name, size_t value) {
      return std::string(" -D ") + name + "=" + std::to_string(value);
    };
    const auto options = "-D TYPE=" + type + option("X", shape.x) + option("Y", shape.y) +
                         option("V", shape.vector) + option("D", shape.depth);
    const auto program = build(context_, kSource, options.c_str());
    const auto kernel = make_kernel(program, "product");
    const auto in_a = make_buffer(context_, a.size() * sizeof(T), a.data());
    const auto in_b = make_buffer(context_, b.size() * sizeof(T), b.data());
    // In plain and in optimized code.
    for (int launch = 0; launch < 4; ++launch) {
      const auto out = make_buffer(context_, expected.size() * sizeof(T));
      set_args(kernel, out, in_a, in_b, static_cast<cl_int>(m), static_cast<cl_int>(n),
               static_cast<cl_int>(k));
      run(queue_, kernel, {{m / shape.vector, n / 2}, {shape.x, shape.y}, {}});
      EXPECT_EQ(read<T>(queue_, out, expected.size()), expected)
          << type << shape.vector << " " << shape.x << "x" << shape.y << " launch " << launch;
    }
  }
};

TEST_F(MatrixProduct, Shapes) {
  for (const Shape& shape : {Shape{8, 16, 4, 32},
                             {16, 16, 4, 16},
                             {16, 8, 2, 16},
                             {8, 8, 4, 8},
                             {32, 4, 8, 16},
                             {12, 8, 4, 24},
                             {4, 16, 16, 16},
                             {64, 1, 4, 32}}) {
    check<cl_float>("float", shape, 3, 3);
    check<cl_int>("int", shape, 3, 3);
  }
}

TEST_F(MatrixProduct, BlocksOfColumns) {
  for (const size_t columns : {32, 35})
    check<cl_float>("float", {8, 8, 4, 8}, columns, 4);
  check<cl_double>("double", {8, 8, 2, 8}, 33, 5);
}

} // namespace
} // namespace heddle::test
