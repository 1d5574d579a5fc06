// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles that are only copies of an argument are read from the argument. The difference is
// unobservable, whatever the kernel writes.
#include "tests/api/api_test.h"

#include <numeric>

namespace heddle::test {
namespace {

constexpr size_t kTile = 256, kTiles = 5, kGroups = 3, kCount = kTile * kTiles * kGroups;

// Reverses each tile while the next one is copied. Every second one begins `shift` elements later:
// unaligned sources are copied, and the next ones read in place.
const char* const kTurn = R"(
  kernel void turn(global const uint* in, global uint* out, uint tiles, uint shift) {
    local uint tile[2][256];
    size_t at = get_group_id(0) * tiles * 256;
    event_t e = async_work_group_copy(tile[0], in + at, 256, 0);
    for (uint t = 0; t < tiles; ++t, at += 256) {
      wait_group_events(1, &e);
      if (t + 1 < tiles)
        e = async_work_group_copy(tile[(t + 1) % 2], in + at + 256 + (t % 2 == 0 ? shift : 0), 256, 0);
      for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        out[at + i] = tile[t % 2][255 - (i & 255)];
    }
  })";

std::vector<cl_uint> numbers(size_t count) {
  std::vector<cl_uint> all(count);
  std::iota(all.begin(), all.end(), 1000U);
  return all;
}

std::vector<cl_uint> turned(const std::vector<cl_uint>& in, size_t shift = 0) {
  std::vector<cl_uint> out(in.size() - shift);
  for (size_t i = 0; i < out.size(); ++i) {
    const auto tile = i / kTile;
    out[i] = in[tile * kTile + (kTile - 1 - i % kTile) + (tile % kTiles % 2 == 0 ? 0 : shift)];
  }
  return out;
}

// Group sizes: sub-groups with inactive lanes, full ones, a single one.
class ReadInPlace : public ApiTest, public testing::WithParamInterface<size_t> {
 protected:
  void turn(cl_mem in, cl_mem out, cl_uint shift = 0, size_t groups = kGroups) {
    const auto kernel = make_kernel(program_, "turn");
    check(clSetKernelArg(kernel, 0, sizeof in, &in), "argument");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "argument");
    const cl_uint tiles = kTiles;
    check(clSetKernelArg(kernel, 2, sizeof tiles, &tiles), "argument");
    check(clSetKernelArg(kernel, 3, sizeof shift, &shift), "argument");
    run(queue_, kernel, {{groups * GetParam()}, {GetParam()}, {}});
  }
  cl_mem part_of(cl_mem buffer, size_t origin, size_t bytes) {
    const cl_buffer_region region{origin, bytes};
    cl_int status = CL_SUCCESS;
    auto* part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    check(status, "sub-buffer");
    return part;
  }
  Program program_ = build(context_, kTurn, "-cl-std=CL3.0");
};

TEST_P(ReadInPlace, FromOneBufferToAnother) {
  auto in = numbers(kCount);
  const auto from = make_buffer(context_, kCount * 4, in.data(), CL_MEM_COPY_HOST_PTR);
  const auto to = make_buffer(context_, kCount * 4);
  turn(from, to);
  EXPECT_EQ(read<cl_uint>(queue_, to, kCount), turned(in));
  EXPECT_EQ(read<cl_uint>(queue_, from, kCount), in);
}

TEST_P(ReadInPlace, WhereverItBegins) {
  for (const cl_uint shift : {1, 7, 16}) {
    auto in = numbers(kCount + shift);
    const auto from = make_buffer(context_, in.size() * 4, in.data(), CL_MEM_COPY_HOST_PTR);
    const auto to = make_buffer(context_, kCount * 4);
    turn(from, to, shift);
    EXPECT_EQ(read<cl_uint>(queue_, to, kCount), turned(in, shift)) << shift;
  }
}

TEST_P(ReadInPlace, NotWhereTheResultsGo) {
  auto in = numbers(kCount);
  const auto both = make_buffer(context_, kCount * 4, in.data(), CL_MEM_COPY_HOST_PTR);
  turn(both, both);
  EXPECT_EQ(read<cl_uint>(queue_, both, kCount), turned(in));
}

TEST_P(ReadInPlace, NotInOverlappingParts) {
  constexpr size_t kBytes = kTile * kTiles * 4, kShift = 128 * 4;
  auto in = numbers(kTile * kTiles + 128);
  const auto whole = make_buffer(context_, in.size() * 4, in.data(), CL_MEM_COPY_HOST_PTR);
  auto* from = part_of(whole, kShift, kBytes);
  auto* to = part_of(whole, 0, kBytes);
  turn(from, to, 0, 1);
  // The next tile is copied before this one's results are stored, 128 elements before it.
  const std::vector<cl_uint> read_from(in.begin() + 128, in.end());
  EXPECT_EQ(read<cl_uint>(queue_, to, kTile * kTiles), turned(read_from));
  clReleaseMemObject(from);
  clReleaseMemObject(to);
}

// Elements that were never copied are undefined, but reading them is harmless.
TEST_P(ReadInPlace, WhatWasNotCopied) {
  const auto program = build(context_, R"(
    kernel void k(global const uint* in, global uint* out, uint copies, uint mask) {
      local uint tile[2][256];
      event_t e = 0;
      if (copies)
        e = async_work_group_copy(tile[0], in, 256, 0);
      wait_group_events(1, &e);
      for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        out[i] = (tile[0][i & 255] & mask) + (tile[1][i & 255] & mask);
    })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "k");
  const auto in = make_buffer(context_, 4), out = make_buffer(context_, 1024);
  set_args(kernel, in, out, cl_uint(0), cl_uint(0));
  run(queue_, kernel, {{GetParam()}, {GetParam()}, {}});
  EXPECT_EQ(read<cl_uint>(queue_, out, 256), std::vector<cl_uint>(256, 0));
}

// A ring of tiles, filled two iterations ahead.
TEST_P(ReadInPlace, FromRings) {
  const auto program = build(context_, R"(
    kernel void ring(global const uint* in, global uint* out, uint tiles) {
      local uint tile[6][256];
      event_t e = async_work_group_copy(tile[0], in, 256, 0);
      wait_group_events(1, &e);
      e = async_work_group_copy(tile[1], in + 256, 256, 0);
      for (uint t = 0; t < tiles; ++t) {
        wait_group_events(1, &e);
        if (t + 2 < tiles)
          e = async_work_group_copy(tile[(t + 2) % 6], in + (t + 2) * 256, 256, 0);
        for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
          out[t * 256 + i] = tile[t % 6][255 - (i & 255)];
      }
    })",
                             "-cl-std=CL3.0");
  constexpr size_t kRing = 17;
  const auto kernel = make_kernel(program, "ring");
  auto in = numbers(kTile * kRing);
  const auto from = make_buffer(context_, in.size() * 4, in.data(), CL_MEM_COPY_HOST_PTR);
  const auto to = make_buffer(context_, in.size() * 4);
  set_args(kernel, from, to, cl_uint(kRing));
  run(queue_, kernel, {{GetParam()}, {GetParam()}, {}});
  EXPECT_EQ(read<cl_uint>(queue_, to, in.size()), turned(in));
}

// Which copies are executed depends on memory; otherwise a tile keeps its contents.
TEST_P(ReadInPlace, AsAskedFor) {
  const auto program = build(context_, R"(
    kernel void chosen(global const uint* in, global uint* out, global const uint* order, uint count) {
      local uint tile[256];
      for (uint t = 0; t < count; ++t) {
        if (order[t] != 0) {
          event_t e = async_work_group_copy(tile, in + order[t], 256, 0);
          wait_group_events(1, &e);
        }
        for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
          out[t * 256 + i] = tile[255 - (i & 255)];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "chosen");
  auto in = numbers(kTile * 4);
  std::vector<cl_uint> order{16, 0, 64, 17, 0, 0, 256, 1, 768};
  const auto from = make_buffer(context_, in.size() * 4, in.data(), CL_MEM_COPY_HOST_PTR);
  const auto asked = make_buffer(context_, order.size() * 4, order.data(), CL_MEM_COPY_HOST_PTR);
  const auto to = make_buffer(context_, order.size() * kTile * 4);
  set_args(kernel, from, to, asked, cl_uint(order.size()));
  run(queue_, kernel, {{GetParam()}, {GetParam()}, {}});
  std::vector<cl_uint> expected;
  size_t begin = 0;
  for (const auto asked_for : order) {
    begin = asked_for != 0 ? asked_for : begin;
    for (size_t i = 0; i < kTile; ++i)
      expected.push_back(in[begin + kTile - 1 - i]);
  }
  EXPECT_EQ(read<cl_uint>(queue_, to, expected.size()), expected);
}

// The source address of a copy that is not executed must not be computed.
TEST_P(ReadInPlace, NotDividedByZero) {
  const auto program = build(context_, R"(
    kernel void divided(global const uint* in, global uint* out, uint n) {
      local uint tile[256];
      event_t e = 0;
      if (n != 0)
        e = async_work_group_copy(tile, in + (get_group_id(0) + 48) / n, 256, 0);
      wait_group_events(1, &e);
      for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        out[i] = n != 0 ? tile[i & 255] : 7;
    })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "divided");
  auto in = numbers(kTile + 48);
  const auto from = make_buffer(context_, in.size() * 4, in.data(), CL_MEM_COPY_HOST_PTR);
  const auto to = make_buffer(context_, kTile * 4);
  for (const cl_uint n : {0, 1, 3, 5}) {
    set_args(kernel, from, to, n);
    run(queue_, kernel, {{GetParam()}, {GetParam()}, {}});
    std::vector<cl_uint> expected(kTile, 7);
    if (n != 0)
      std::copy_n(in.begin() + 48 / n, kTile, expected.begin());
    EXPECT_EQ(read<cl_uint>(queue_, to, kTile), expected) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, ReadInPlace, testing::Values(50, 64, 128, 8));

} // namespace
} // namespace heddle::test
