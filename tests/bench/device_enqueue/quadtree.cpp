// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An adaptive quadtree of clustered points: the group of a cell with too many points orders them by
// quadrant, and each quadrant becomes a cell. The device enqueues the quadrants; the host launches
// a group for each cell of a level, and reads how many there are.
#include "tests/bench/device_enqueue/bench.h"

#include <algorithm>
#include <random>

namespace heddle::bench {
namespace {

constexpr const char* kSource = R"(
#define GROUP 64
#define MOST 64
#define DEEPEST 12

typedef struct { uint begin, end, level; float x, y; } Cell; // with its corner

// Orders the points of a cell by quadrant, in `to`; the ends of the quadrants.
uint4 divide(global const float2* from, global float2* to, Cell cell) {
  const float half_size = 0.5f / (1 << cell.level);
  const float2 center = (float2)(cell.x, cell.y) + half_size;
  const uint share = (cell.end - cell.begin + GROUP - 1) / GROUP;
  const uint first = min(cell.end, cell.begin + (uint)get_local_id(0) * share);
  const uint last = min(cell.end, first + share);
  uint counts[4] = {0, 0, 0, 0};
  for (uint i = first; i < last; ++i) {
    const int quadrant = (from[i].x >= center.x) + 2 * (from[i].y >= center.y);
    for (int q = 0; q < 4; ++q) counts[q] += quadrant == q;
  }
  uint places[4], ends[4], end = cell.begin;
  for (int q = 0; q < 4; ++q) {
    places[q] = end + work_group_scan_exclusive_add(counts[q]);
    ends[q] = end += work_group_reduce_add(counts[q]);
  }
  for (uint i = first; i < last; ++i) {
    const float2 point = from[i];
    const int quadrant = (point.x >= center.x) + 2 * (point.y >= center.y);
    for (int q = 0; q < 4; ++q)
      if (quadrant == q) to[places[q]++] = point;
  }
  return (uint4)(ends[0], ends[1], ends[2], ends[3]);
}

bool is_leaf(Cell cell) { return cell.end - cell.begin <= MOST || cell.level == DEEPEST; }

void add_leaf(Cell cell, global uint* leaves) {
  if (get_local_id(0) == 0) {
    atomic_inc(leaves);
    atomic_add(leaves + 1, cell.end - cell.begin);
    atomic_add(leaves + 2, (cell.end - cell.begin) * cell.level);
  }
}

Cell quadrant_of(Cell cell, uint4 ends, int q) {
  const uint all[5] = {cell.begin, ends.x, ends.y, ends.z, ends.w};
  const float half_size = 0.5f / (1 << cell.level);
  Cell part = {all[q], all[q + 1], cell.level + 1, cell.x + (q & 1) * half_size, cell.y + (q >> 1) * half_size};
  return part;
}

void grow(global float2* from, global float2* to, global uint* leaves, Cell cell) {
  if (is_leaf(cell)) { add_leaf(cell, leaves); return; }
  const uint4 ends = divide(from, to, cell);
  if (get_local_id(0) != 0) return;
  for (int q = 0; q < 4; ++q) {
    const Cell part = quadrant_of(cell, ends, q);
    if (part.begin != part.end &&
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(GROUP, GROUP),
                       ^{ grow(to, from, leaves, part); }))
      atomic_inc(leaves + 3);
  }
}
kernel void on_device(global float2* points, global float2* other, global uint* leaves, uint count) {
  const Cell root = {0, count, 0, 0.0f, 0.0f};
  grow(points, other, leaves, root);
}

kernel void one_level(global float2* from, global float2* to, global uint* leaves, global const Cell* cells,
                      global Cell* next, global uint* next_count) {
  const Cell cell = cells[get_group_id(0)];
  if (is_leaf(cell)) { add_leaf(cell, leaves); return; }
  const uint4 ends = divide(from, to, cell);
  if (get_local_id(0) != 0) return;
  for (int q = 0; q < 4; ++q) {
    const Cell part = quadrant_of(cell, ends, q);
    if (part.begin != part.end) next[atomic_inc(next_count)] = part;
  }
}
)";

constexpr size_t kGroup = 64;

struct Cell {
  cl_uint begin, end, level;
  cl_float x, y;
};

// Clusters of different density in the unit square.
std::vector<cl_float> make_points(size_t count) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
  std::vector<cl_float> points;
  while (points.size() < 2 * count) {
    const float x = uniform(random), y = uniform(random), spread = 0.1F * uniform(random);
    for (int i = 0; i < 1000 && points.size() < 2 * count; ++i) {
      points.push_back(std::clamp(x + spread * (uniform(random) - 0.5F), 0.0F, 0.9999F));
      points.push_back(std::clamp(y + spread * (uniform(random) - 0.5F), 0.0F, 0.9999F));
    }
  }
  return points;
}

} // namespace

void run_quadtree(const Bench& bench) {
  const cl_uint count = bench.small ? 3000 : 1 << 19;
  const auto values = make_points(count);
  const auto bytes = values.size() * sizeof(cl_float);
  const auto points = make_buffer(bench.context, bytes);
  const auto other = make_buffer(bench.context, bytes);
  const cl_uint zero = 0;
  const auto leaves = make_buffer(bench.context, 16);
  const auto prepare = [&] {
    check(clEnqueueWriteBuffer(bench.queue, points, CL_TRUE, 0, bytes, values.data(), 0, nullptr,
                               nullptr),
          "write");
    check(clEnqueueFillBuffer(bench.queue, leaves, &zero, 4, 0, 16, 0, nullptr, nullptr), "fill");
  };
  const auto program = bench.build_source(kSource);
  const auto on_device = make_kernel(program, "on_device");
  set_args(on_device, points, other, leaves, count);
  const auto device_time = bench.least_time(prepare, [&] {
    check(enqueue(bench.queue, on_device, {{kGroup}, {kGroup}, {}}), "grow");
  });
  const auto grown = read<cl_uint>(bench.queue, leaves, 4);
  require(grown[1] == count && grown[3] == 0, "quadtree on the device");
  bench.report("quadtree on the device", device_time);

  const auto one_level = make_kernel(program, "one_level");
  Buffer lists[2] = {make_buffer(bench.context, count * sizeof(Cell)),
                     make_buffer(bench.context, count * sizeof(Cell))};
  const auto next_count = make_buffer(bench.context, 4);
  const auto host_time = bench.least_time(prepare, [&] {
    const Cell root = {0, count, 0, 0, 0};
    check(clEnqueueWriteBuffer(bench.queue, lists[0], CL_FALSE, 0, sizeof root, &root, 0, nullptr,
                               nullptr),
          "write");
    cl_uint cells = 1;
    for (int step = 0; cells != 0; ++step) {
      check(clEnqueueFillBuffer(bench.queue, next_count, &zero, 4, 0, 4, 0, nullptr, nullptr), "");
      set_args(one_level, step % 2 == 0 ? points : other, step % 2 == 0 ? other : points, leaves,
               lists[step % 2], lists[(step + 1) % 2], next_count);
      check(enqueue(bench.queue, one_level, {{cells * kGroup}, {kGroup}, {}}), "one_level");
      cells = read<cl_uint>(bench.queue, next_count, 1)[0];
    }
  });
  require(read<cl_uint>(bench.queue, leaves, 4) == grown, "both trees are the same");
  bench.report("quadtree from the host", host_time);
}

} // namespace heddle::bench
