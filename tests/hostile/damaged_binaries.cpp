// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Truncated binaries, flipped bits and foreign contents: always CL_INVALID_BINARY. Every length and
// every byte near the ends, samples in between.
#include "tests/hostile/hostile.h"

using namespace heddle::hostile;

static void body() {
  Session session;
  const auto program = build(session.context, R"(
    constant int table[3] = {1, 2, 3};
    kernel void a(global int* x, int i) { x[get_global_id(0)] = table[i]; }
    kernel void b(global float4* y) { barrier(CLK_GLOBAL_MEM_FENCE); y[get_global_id(0)] *= 2; })");
  size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "sizes");
  std::vector<unsigned char> bytes(size);
  unsigned char* place = bytes.data();
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr), "binaries");
  const auto load = [&](const unsigned char* data, size_t length) {
    const auto d = device();
    cl_int status = 0, one = 0;
    Program again(clCreateProgramWithBinary(session.context, 1, &d, &length, &data, &one, &status));
    return status;
  };
  expect_status(load(bytes.data(), size), CL_SUCCESS, "the whole binary");
  const auto sampled = [&](size_t i) { return i < 300 || i + 300 > size || i % 61 == 0; };
  for (size_t length = 1; length < size; ++length)
    if (sampled(length))
      expect_status(load(bytes.data(), length), CL_INVALID_BINARY,
                    "cut to " + std::to_string(length));
  for (size_t i = 0; i != size && failures < 20; ++i)
    if (sampled(i))
      for (const int bit : {0, 3, 7}) {
        bytes[i] ^= 1u << bit;
        expect_status(load(bytes.data(), size), CL_INVALID_BINARY,
                      "flipped bit in byte " + std::to_string(i));
        bytes[i] ^= 1u << bit;
      }
  bytes.push_back(0);
  expect_status(load(bytes.data(), bytes.size()), CL_INVALID_BINARY, "a byte too many");
  std::vector<unsigned char> noise(size);
  for (unsigned seed = 1; seed != 50; ++seed) {
    unsigned x = seed;
    for (auto& byte : noise)
      byte = static_cast<unsigned char>((x = x * 1664525u + 1013904223u) >> 24);
    expect_status(load(noise.data(), noise.size()), CL_INVALID_BINARY, "noise");
  }
  expect_status(load(bytes.data(), size), CL_SUCCESS, "the whole binary again");
  expect_works(session, "after damaged binaries");
}

int main() { return run_program(body); }
