// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calling convention of compiled kernels. The compiler emits loads at the offsets asserted
// below, so change both together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::abi {

inline constexpr std::uint32_t kVersion = 11;

struct CheckHeader;
struct DeviceQueueCalls;
// The limit of a work-group; passes rely on it.
inline constexpr std::uint64_t kMaxWorkItems = 4096;

// The size of the area before a group's local memory in which kernels keep internal data.
inline constexpr std::uint64_t kHiddenLocalBytes = 512;

// The distance of the shadow of local memory (HEDDLE_CHECK=uninitialized). Above the device's limit
// of local memory with the area before it; no multiple of 4096, so that accesses to both do not
// wait for each other.
inline constexpr std::uint64_t kLocalShadow = 256 * 1024 + 2176;

// The area of buffers with a shadow (HEDDLE_CHECK=buffers): addresses from kShadowedBuffers on, and
// the distance of the shadow, which nothing else of the area reaches. Where no program has
// anything.
inline constexpr std::uint64_t kShadowedBuffers = std::uint64_t{0x6000} << 32;
inline constexpr std::uint64_t kShadowedBytes = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kBufferShadow = kShadowedBytes + 2176;

struct Worker;

// The memory of a kernel's argument, for kernels built with memory checks: an access of n bytes is
// in bounds if address - begin, as an unsigned number, is below bytes + 1 - n, and n at most
// `bytes`. Of local memory only the bytes are set. Unknown memory has kUnboundedBytes from 0 on.
struct MemoryBounds {
  std::uint64_t begin;
  std::uint64_t bytes;
};
inline constexpr std::uint64_t kUnboundedBytes = ~std::uint64_t{1};

// An enqueued ND-range; read-only while the kernel runs.
struct Launch {
  const std::byte*
      args; // packed arguments, each at its KernelArgument::offset, base aligned to 128
  std::byte* program_scope; // block of program-scope variables (owned by the cl_program), or null
  std::uint64_t work_dim;   // 1 to 3
  std::uint64_t global_size[3];   // in work-items; 1 in unused dimensions
  std::uint64_t global_offset[3]; // in work-items; 0 in unused dimensions
  std::uint64_t local_size[3];    // enqueued local size; 1 in unused dimensions
  std::uint64_t group_count[3];   // ceil(global_size / local_size)
  void* runtime;                  // opaque to kernels
  // The number of groups in x that together have kMaxWorkItems: how many groups a kernel that
  // merges groups runs at once. merged_rows is the same if a group is one row of work-items,
  // otherwise 1.
  std::uint64_t merged_groups;
  std::uint64_t merged_rows;
  // For kernels with KernelMetadata::has_elided_copies: not 0 if two of their pointers to global
  // memory point into overlapping memory.
  std::uint64_t arguments_overlap;
  const MemoryBounds* bounds; // by argument; null for kernels without memory checks
  // Of a group's local memory, what nothing is written to when the group begins: all, unless the
  // runtime sets it to zero.
  std::uint64_t unwritten_local_bytes;
  // Groups run in blocks of so many columns, row by row in each; 0: all columns are one block.
  // Kernels do not read this.
  std::uint64_t columns;
};

// Of kernels with KernelMetadata::reuses_columns. What a few columns of groups read, as 2 MB of a
// matrix with rows of 2,048 floats, is still in a cache when the next row of groups reads it.
inline constexpr std::uint64_t kColumnsOfBlock = 8;
inline constexpr std::uint64_t kLeastBlocks = 4, kLeastRowsOfBlock = 4;

inline void set_columns(Launch& launch, bool reuses_columns) {
  const auto* count = launch.group_count;
  const bool has_blocks =
      reuses_columns && count[0] >= kLeastBlocks * kColumnsOfBlock && count[1] >= kLeastRowsOfBlock;
  launch.columns = has_blocks ? kColumnsOfBlock : 0;
}

// Computes both from the local size, in `size`: what has just been stored to the launch by other
// widths could not be loaded without a delay.
inline void set_merging(Launch& launch, const std::uint64_t (&size)[3]) {
  launch.merged_groups = kMaxWorkItems / std::min(size[0], kMaxWorkItems);
  launch.merged_rows = size[1] == 1 && size[2] == 1 ? launch.merged_groups : 1;
}

// For units with KernelMetadata::has_swapped_dimensions.
inline Launch with_swapped_dimensions(const Launch& launch) {
  auto swapped = launch;
  for (auto* values :
       {swapped.global_size, swapped.global_offset, swapped.local_size, swapped.group_count})
    std::swap(values[0], values[1]);
  set_merging(swapped, swapped.local_size);
  set_columns(swapped, launch.columns != 0);
  return swapped;
}

// A running work-group. Constructed by the kernel on its stack for every group.
struct Group {
  const Launch* launch;
  Worker* worker;
  std::byte*
      local_memory; // static __local variables at their assigned offsets, then local arguments
  std::uint64_t group_id[3];
  std::uint64_t
      local_size[3]; // actual size of this group: smaller at the edges of a non-uniform range
};

// Runs one sub-group of a kernel with fibers; `index` is its number in the group.
using ItemFunction = void (*)(const Group* group, std::uint64_t index);

// The state of the calling thread. Kernels call its function pointers and store the current
// position for fault reports.
struct Worker {
  // Runs `item` for every index below `count`, each on its own fiber; returns when all have
  // returned.
  void (*run_fibers)(const Group* group, ItemFunction item, std::uint64_t count);
  // Called on a fiber by work-group barriers: returns when every other live fiber of the group has
  // reached the barrier.
  void (*barrier)(Worker* worker);
  // printf: `record` is described in printf_record.h; returns 0, or -1 on failure (OpenCL
  // C 6.15.13).
  std::int32_t (*print)(Worker* worker, const std::byte* record, std::uint64_t size);
  // At least KernelMetadata::local_bytes plus local arguments, aligned to 128; preceded by
  // kHiddenLocalBytes.
  std::byte* local_memory;
  // The kernel writes x with a volatile store before each group; run_groups() writes y and z.
  std::uint64_t current_group[3];
  std::uint64_t current_item; // linear local index, written with a volatile store before each item
  // The length of a row of work-items: of the group, or of several groups that run merged. Written
  // like current_group.
  std::uint64_t current_row;
  // For region loops: KernelMetadata::frame_bytes for each sub-group of a work-group, aligned to
  // 64; null for kernels without.
  std::byte* frames;
  // The address ranges [begin, end) of local memory, of the kernel stack, and of fiber stacks or
  // frames, by which generic pointers are classified. Empty ranges are absent.
  std::uint64_t bounds[6];
  // Called by kernels built with memory checks; check_record.h describes `record`. Does not return
  // if the check fails.
  void (*check)(Worker* worker, const CheckHeader* record);
  // The actual size in y and z of the groups at current_group.
  std::uint64_t local_size_y;
  std::uint64_t local_size_z;
  // What kernels that enqueue kernels call (device_queue_calls.h).
  const DeviceQueueCalls* device_queue;
  // Of kernels in which a sub-group may wait for another one without a barrier. yield() lets
  // another fiber of the group run; counting_barrier() is barrier() for fibers that yield: it
  // returns to them in the order of their indices.
  void (*yield)(Worker* worker);
  void (*counting_barrier)(Worker* worker);
};

// A compiled kernel. Runs the groups first_group <= x < last_group of the row of groups whose y and
// z are in Worker::current_group.
using KernelFunction = void (*)(const Launch* launch, std::uint64_t first_group,
                                std::uint64_t last_group, Worker* worker);

// Runs the groups from x to end of one row of groups.
inline void run_row(KernelFunction function, const Launch& launch, std::uint64_t x,
                    std::uint64_t end, std::uint64_t y, std::uint64_t z, Worker& worker) {
  worker.current_group[1] = y;
  worker.current_group[2] = z;
  worker.local_size_y =
      std::min(launch.local_size[1], launch.global_size[1] - y * launch.local_size[1]);
  worker.local_size_z =
      std::min(launch.local_size[2], launch.global_size[2] - z * launch.local_size[2]);
  function(&launch, x, end, &worker);
}

// As run_groups(), by blocks of columns.
inline void run_groups_of_blocks(KernelFunction function, const Launch& launch, std::uint64_t first,
                                 std::uint64_t last, Worker& worker) {
  const auto in_row = launch.group_count[0], rows = launch.group_count[1];
  while (first < last) {
    const auto in_plane = first % (in_row * rows);
    const auto block = in_plane / (launch.columns * rows) * launch.columns; // its first column
    const auto columns = std::min(launch.columns, in_row - block);
    const auto in_block = in_plane - block * rows;
    const auto x = block + in_block % columns;
    const auto end = std::min(x + (last - first), block + columns);
    run_row(function, launch, x, end, in_block / columns, first / (in_row * rows), worker);
    first += end - x;
  }
}

// Runs the groups first <= g < last; linear group numbers with x fastest, or by blocks of columns
// (Launch::columns).
inline void run_groups(KernelFunction function, const Launch& launch, std::uint64_t first,
                       std::uint64_t last, Worker& worker) {
  const auto in_row = launch.group_count[0];
  if (launch.columns != 0)
    return run_groups_of_blocks(function, launch, first, last, worker);
  std::uint64_t x = first, row = 0;
  if (last > in_row) {
    row = first / in_row;
    x = first % in_row;
  }
  std::uint64_t y = row, z = 0;
  if (row >= launch.group_count[1]) {
    y = row % launch.group_count[1]; // NOLINT(clang-analyzer-core.DivideZero): at least 1
    z = row / launch.group_count[1];
  }
  while (first < last) {
    const auto end = std::min(x + (last - first), in_row);
    run_row(function, launch, x, end, y, z, worker);
    first += end - x;
    x = 0;
    if (++y == launch.group_count[1]) {
      y = 0;
      ++z;
    }
  }
}

// The name of the only symbol that a program exports: KernelFunction[], in the order of
// ProgramMetadata::kernels.
inline constexpr const char* kKernelTableSymbol = "heddle_kernels";

static_assert(offsetof(Launch, args) == 0 && offsetof(Launch, program_scope) == 8);
static_assert(offsetof(Launch, work_dim) == 16 && offsetof(Launch, global_size) == 24);
static_assert(offsetof(Launch, global_offset) == 48 && offsetof(Launch, local_size) == 72);
static_assert(offsetof(Launch, group_count) == 96 && offsetof(Launch, runtime) == 120);
static_assert(offsetof(Launch, merged_groups) == 128 && offsetof(Launch, merged_rows) == 136);
static_assert(offsetof(Launch, arguments_overlap) == 144 && offsetof(Launch, bounds) == 152);
static_assert(offsetof(Launch, unwritten_local_bytes) == 160);
static_assert(offsetof(MemoryBounds, begin) == 0 && sizeof(MemoryBounds) == 16);
static_assert(offsetof(Group, launch) == 0 && offsetof(Group, worker) == 8);
static_assert(offsetof(Group, local_memory) == 16 && offsetof(Group, group_id) == 24);
static_assert(offsetof(Group, local_size) == 48 && sizeof(Group) == 72);
static_assert(offsetof(Worker, run_fibers) == 0 && offsetof(Worker, barrier) == 8);
static_assert(offsetof(Worker, print) == 16 && offsetof(Worker, local_memory) == 24);
static_assert(offsetof(Worker, current_group) == 32 && offsetof(Worker, current_item) == 56);
static_assert(offsetof(Worker, current_row) == 64 && offsetof(Worker, frames) == 72);
static_assert(offsetof(Worker, bounds) == 80 && offsetof(Worker, check) == 128);
static_assert(offsetof(Worker, local_size_y) == 136 && offsetof(Worker, local_size_z) == 144);
static_assert(offsetof(Worker, device_queue) == 152 && offsetof(Worker, yield) == 160);
static_assert(offsetof(Worker, counting_barrier) == 168);

} // namespace heddle::abi
