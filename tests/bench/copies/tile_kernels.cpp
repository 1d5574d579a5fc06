// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/copies/tile_kernels.h"

#include "tests/api/support.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace heddle::bench {

using namespace test;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kGroup = 64;

// A filter of nine taps over a long row, from global memory and from tiles of which the next one is
// copied meanwhile.
const char* const kTileSource = R"(
  #define TILE 2048
  float taps(const float* p) {
    return p[0] + p[8] + 8 * (p[1] + p[7]) + 28 * (p[2] + p[6]) + 56 * (p[3] + p[5]) + 70 * p[4];
  }
  kernel void plain(const global float* from, global float* to, uint tiles) {
    for (uint t = 0; t < tiles; ++t) {
      const size_t at = (get_group_id(0) * (size_t)tiles + t) * TILE;
      for (uint i = get_local_id(0); i < TILE; i += get_local_size(0))
        to[at + i] = taps(from + at + i);
    }
  }
  kernel void tiled(const global float* from, global float* to, uint tiles) {
    local float tile[2][TILE + 8];
    const size_t first = get_group_id(0) * (size_t)tiles * TILE;
    event_t coming = async_work_group_copy(tile[0], from + first, TILE + 8, 0);
    for (uint t = 0; t < tiles; ++t) {
      wait_group_events(1, &coming);
      const size_t at = first + t * TILE;
      if (t + 1 < tiles)
        coming = async_work_group_copy(tile[(t + 1) % 2], from + at + TILE, TILE + 8, 0);
      for (uint i = get_local_id(0); i < TILE; i += get_local_size(0))
        to[at + i] = taps(tile[t % 2] + i);
    }
  })";

} // namespace

void measure_tile_kernels(int repeats, bool lines) {
  constexpr std::size_t kTiles = 32, kTile = 2048;
  const Context context = make_context();
  const Queue queue = make_queue(context);
  const auto program = build(context, kTileSource, "-cl-std=CL3.0");
  for (const std::size_t groups : {4, 256}) {
    const auto bytes = groups * kTiles * kTile * 4;
    const std::vector<float> row(groups * kTiles * kTile + 8, 1);
    const auto from =
        make_buffer(context, row.size() * 4, row.data(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR);
    const auto to = make_buffer(context, bytes);
    const char* const names[] = {"plain", "tiled"};
    double best[2] = {1e9, 1e9};
    for (int repeat = 0; repeat <= repeats; ++repeat)
      for (int which = 0; which < 2; ++which) {
        const auto kernel = make_kernel(program, names[which]);
        const cl_uint tiles = kTiles;
        check(clSetKernelArg(kernel, 0, sizeof(cl_mem), from.address()), "argument");
        check(clSetKernelArg(kernel, 1, sizeof(cl_mem), to.address()), "argument");
        check(clSetKernelArg(kernel, 2, sizeof tiles, &tiles), "argument");
        const std::size_t global = groups * kGroup;
        const auto start = Clock::now();
        check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &kGroup, 0, nullptr,
                                     nullptr),
              "launch");
        check(clFinish(queue), "finish");
        if (repeat != 0) // the first one warms up
          best[which] =
              std::min(best[which], std::chrono::duration<double>(Clock::now() - start).count());
      }
    for (int which = 0; which < 2; ++which) {
      const auto name = std::string("filter of ") + (groups == 4 ? "1" : "64") + " MiB, " +
                        (which == 0 ? "plain loads" : "double-buffered tiles");
      const auto time = best[which] * 1e9 / double(bytes) * 1024;
      if (lines)
        std::printf("%s\t%.4f\n", name.c_str(), time);
      else
        std::printf("%-48s %9.2f ns a KiB %8.1f GB/s\n", name.c_str(), time, 1024 / time);
    }
  }
}

} // namespace heddle::bench
