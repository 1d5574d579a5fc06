// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort: a work-group divides each segment at a pivot, and sorts a short one in local memory.
// On the device a segment's group enqueues the two parts; the host launches a group for each
// segment of a level, and reads how many there are.
#include "tests/bench/device_enqueue/bench.h"

#include <algorithm>
#include <random>

namespace heddle::bench {
namespace {

constexpr const char* kSource = R"(
#define GROUP 128
#define SHORT 512

// Elements of [begin, end) that are less than the pivot come first in `to`, then those that are equal.
uint2 divide(global const uint* from, global uint* to, uint begin, uint end) {
  const uint a = from[begin], b = from[begin + (end - begin) / 2], c = from[end - 1];
  const uint pivot = max(min(a, b), min(max(a, b), c));
  const uint share = (end - begin + GROUP - 1) / GROUP;
  const uint first = min(end, begin + (uint)get_local_id(0) * share), last = min(end, first + share);
  uint less = 0, greater = 0;
  for (uint i = first; i < last; ++i) {
    less += from[i] < pivot;
    greater += from[i] > pivot;
  }
  const uint all_less = work_group_reduce_add(less), all_greater = work_group_reduce_add(greater);
  uint left = begin + work_group_scan_exclusive_add(less);
  uint right = end - all_greater + work_group_scan_exclusive_add(greater);
  for (uint i = first; i < last; ++i) {
    const uint value = from[i];
    if (value < pivot) to[left++] = value;
    if (value > pivot) to[right++] = value;
  }
  for (uint i = begin + all_less + get_local_id(0); i < end - all_greater; i += GROUP)
    to[i] = pivot;
  barrier(CLK_GLOBAL_MEM_FENCE);
  return (uint2)(begin + all_less, end - all_greater);
}

// Sorts in local memory, into `out`.
void sort_short(global const uint* from, global uint* out, uint begin, uint end, local uint* values) {
  const uint id = get_local_id(0), count = end - begin;
  uint size = 2;
  while (size < count) size *= 2;
  for (uint i = id; i < size; i += GROUP) values[i] = i < count ? from[begin + i] : UINT_MAX;
  for (uint k = 2; k <= size; k *= 2)
    for (uint j = k / 2; j > 0; j /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint i = id; i < size / 2; i += GROUP) {
        const uint low = 2 * i - (i & (j - 1)), high = low + j;
        const uint x = values[low], y = values[high];
        const bool swap = (x > y) == ((low & k) == 0);
        values[low] = swap ? y : x;
        values[high] = swap ? x : y;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = id; i < count; i += GROUP) out[begin + i] = values[i];
}

void settle(global const uint* from, global uint* out, uint begin, uint end) {
  if (from != out)
    for (uint i = begin + get_local_id(0); i < end; i += GROUP) out[i] = from[i];
}

void sort_on_device(global uint* from, global uint* to, global uint* out, uint begin, uint end,
                    local uint* values, global uint* failures) {
  if (end - begin <= SHORT) { sort_short(from, out, begin, end, values); return; }
  const uint2 middle = divide(from, to, begin, end);
  settle(to, out, middle.x, middle.y);
  if (get_local_id(0) != 0) return;
  const ndrange_t range = ndrange_1D(GROUP, GROUP);
  const uint left = middle.x, right = middle.y;
  if (left > begin && enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, range,
                                     ^(local void* p) { sort_on_device(to, from, out, begin, left, p, failures); },
                                     (uint)(SHORT * sizeof(uint))))
    atomic_inc(failures);
  if (right < end && enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, range,
                                    ^(local void* p) { sort_on_device(to, from, out, right, end, p, failures); },
                                    (uint)(SHORT * sizeof(uint))))
    atomic_inc(failures);
}
kernel void device_sort(global uint* data, global uint* other, uint count, local uint* values, global uint* failures) {
  sort_on_device(data, other, data, 0, count, values, failures);
}

kernel void level(global uint* from, global uint* to, global uint* out, global const uint2* segments,
                  global uint2* next, global uint* next_count, local uint* values) {
  const uint2 segment = segments[get_group_id(0)];
  if (segment.y - segment.x <= SHORT) { sort_short(from, out, segment.x, segment.y, values); return; }
  const uint2 middle = divide(from, to, segment.x, segment.y);
  settle(to, out, middle.x, middle.y);
  if (get_local_id(0) != 0) return;
  if (middle.x > segment.x) next[atomic_inc(next_count)] = (uint2)(segment.x, middle.x);
  if (middle.y < segment.y) next[atomic_inc(next_count)] = (uint2)(middle.y, segment.y);
}
)";

constexpr size_t kGroup = 128;
constexpr size_t kLocalBytes = 512 * sizeof(cl_uint);

} // namespace

void run_quicksort(const Bench& bench) {
  const cl_uint count = bench.small ? 5000 : 1 << 20;
  std::mt19937 random(1);
  std::vector<cl_uint> values(count);
  for (auto& value : values)
    value = static_cast<cl_uint>(random());
  auto sorted = values;
  std::ranges::sort(sorted);
  const auto bytes = count * sizeof(cl_uint);
  const auto data = make_buffer(bench.context, bytes);
  const auto other = make_buffer(bench.context, bytes);
  const cl_uint zero = 0;
  const auto failures = make_buffer(bench.context, 4, &zero);
  const auto prepare = [&] {
    check(clEnqueueWriteBuffer(bench.queue, data, CL_TRUE, 0, bytes, values.data(), 0, nullptr,
                               nullptr),
          "write");
  };
  const auto program = bench.build_source(kSource);
  const auto on_device = make_kernel(program, "device_sort");
  set_args(on_device, data, other, count, Local{kLocalBytes}, failures);
  const auto device_time = bench.least_time(prepare, [&] {
    check(enqueue(bench.queue, on_device, {{kGroup}, {kGroup}, {}}), "sort");
  });
  require(read<cl_uint>(bench.queue, failures, 1)[0] == 0, "a full queue");
  require(read<cl_uint>(bench.queue, data, count) == sorted, "quicksort on the device");
  bench.report("quicksort on the device", device_time);

  const auto level = make_kernel(program, "level");
  Buffer lists[2] = {make_buffer(bench.context, count * sizeof(cl_uint2)),
                     make_buffer(bench.context, count * sizeof(cl_uint2))};
  const auto next_count = make_buffer(bench.context, 4);
  const auto host_time = bench.least_time(prepare, [&] {
    const cl_uint2 all = {{0, count}};
    check(clEnqueueWriteBuffer(bench.queue, lists[0], CL_FALSE, 0, sizeof all, &all, 0, nullptr,
                               nullptr),
          "write");
    cl_uint segments = 1;
    for (int step = 0; segments != 0; ++step) {
      check(clEnqueueFillBuffer(bench.queue, next_count, &zero, 4, 0, 4, 0, nullptr, nullptr), "");
      const auto& from = step % 2 == 0 ? data : other;
      const auto& to = step % 2 == 0 ? other : data;
      set_args(level, from, to, data, lists[step % 2], lists[(step + 1) % 2], next_count,
               Local{kLocalBytes});
      check(enqueue(bench.queue, level, {{segments * kGroup}, {kGroup}, {}}), "level");
      segments = read<cl_uint>(bench.queue, next_count, 1)[0];
    }
  });
  require(read<cl_uint>(bench.queue, data, count) == sorted, "quicksort from the host");
  bench.report("quicksort from the host", host_time);
}

} // namespace heddle::bench
