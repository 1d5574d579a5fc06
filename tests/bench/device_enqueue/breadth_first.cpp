// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breadth-first search on a grid with walls: a thousand levels of a few hundred vertices. The
// device enqueues each level when it knows how many vertices there are; the host reads the number.
#include "tests/bench/device_enqueue/bench.h"

#include <queue>
#include <random>

namespace heddle::bench {
namespace {

constexpr const char* kSource = R"(
void visit(global const char* walls, global uint* distances, global const uint* frontier,
           global uint* next, global uint* next_count, uint width, uint height, uint level) {
  const uint at = frontier[get_global_id(0)], x = at % width, y = at / width;
  const uint near[4] = {x > 0 ? at - 1 : at, x + 1 < width ? at + 1 : at, y > 0 ? at - width : at,
                        y + 1 < height ? at + width : at};
  for (int i = 0; i < 4; ++i)
    if (!walls[near[i]] && distances[near[i]] == UINT_MAX &&
        atomic_cmpxchg(distances + near[i], UINT_MAX, level) == UINT_MAX)
      next[atomic_inc(next_count)] = near[i];
}

void run_level(global const char* walls, global uint* distances, global uint* frontier, global uint* next,
               global uint* counts, uint width, uint height, uint level) {
  const uint count = counts[level - 1];
  if (count == 0) return;
  clk_event_t done;
  if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(count), 0, NULL, &done,
                     ^{ visit(walls, distances, frontier, next, counts + level, width, height, level); }))
    return;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1, 1), 1, &done, NULL,
                 ^{ run_level(walls, distances, next, frontier, counts, width, height, level + 1); });
  release_event(done);
}
kernel void on_device(global const char* walls, global uint* distances, global uint* frontier, global uint* next,
                      global uint* counts, uint width, uint height) {
  run_level(walls, distances, frontier, next, counts, width, height, 1);
}
kernel void one_level(global const char* walls, global uint* distances, global const uint* frontier,
                      global uint* next, global uint* counts, uint width, uint height, uint level) {
  visit(walls, distances, frontier, next, counts + level, width, height, level);
}
)";

std::vector<cl_uint> search_on_host(const std::vector<cl_char>& walls, cl_uint width,
                                    cl_uint height) {
  std::vector<cl_uint> distances(walls.size(), CL_UINT_MAX);
  std::queue<cl_uint> open;
  distances[0] = 0;
  open.push(0);
  for (; !open.empty(); open.pop()) {
    const auto at = open.front(), x = at % width, y = at / width;
    for (const auto near : {x > 0 ? at - 1 : at, x + 1 < width ? at + 1 : at,
                            y > 0 ? at - width : at, y + 1 < height ? at + width : at})
      if (!walls[near] && distances[near] == CL_UINT_MAX) {
        distances[near] = distances[at] + 1;
        open.push(near);
      }
  }
  return distances;
}

} // namespace

void run_breadth_first(const Bench& bench) {
  const cl_uint width = bench.small ? 40 : 1000, height = bench.small ? 20 : 300;
  std::mt19937 random(2);
  std::vector<cl_char> walls(size_t{width} * height);
  for (auto& wall : walls)
    wall = random() % 4 == 0 ? 1 : 0;
  walls[0] = 0;
  const auto expected = search_on_host(walls, width, height);
  const auto bytes = walls.size() * sizeof(cl_uint);
  const auto wall_buffer = make_buffer(bench.context, walls.size(), walls.data());
  const auto distances = make_buffer(bench.context, bytes);
  const auto counts = make_buffer(bench.context, bytes);
  Buffer frontiers[2] = {make_buffer(bench.context, bytes), make_buffer(bench.context, bytes)};
  const auto prepare = [&] {
    const cl_uint zero = 0, one = 1, unknown = CL_UINT_MAX;
    const auto fill = [&](const Buffer& buffer, cl_uint value, size_t size) {
      check(clEnqueueFillBuffer(bench.queue, buffer, &value, 4, 0, size, 0, nullptr, nullptr), "");
    };
    fill(distances, unknown, bytes);
    fill(distances, zero, 4);
    fill(counts, zero, bytes);
    fill(counts, one, 4);
    fill(frontiers[0], zero, 4);
  };
  const auto program = bench.build_source(kSource);
  const auto on_device = make_kernel(program, "on_device");
  set_args(on_device, wall_buffer, distances, frontiers[0], frontiers[1], counts, width, height);
  const auto device_time = bench.least_time(prepare, [&] {
    check(enqueue(bench.queue, on_device, {{1}, {1}, {}}), "on_device");
  });
  require(read<cl_uint>(bench.queue, distances, walls.size()) == expected, "search on the device");
  bench.report("breadth-first search on the device", device_time);

  const auto one_level = make_kernel(program, "one_level");
  const auto host_time = bench.least_time(prepare, [&] {
    cl_uint count = 1;
    for (cl_uint level = 1; count != 0; ++level) {
      set_args(one_level, wall_buffer, distances, frontiers[(level - 1) % 2], frontiers[level % 2],
               counts, width, height, level);
      check(enqueue(bench.queue, one_level, {{count}, {}, {}}), "one_level");
      count = read<cl_uint>(bench.queue, counts, 1, level)[0];
    }
  });
  require(read<cl_uint>(bench.queue, distances, walls.size()) == expected, "search from the host");
  bench.report("breadth-first search from the host", host_time);
}

} // namespace heddle::bench
