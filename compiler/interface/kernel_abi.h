// The contract between compiled kernels and the runtime: what a kernel's machine code is called
// with. The compiler's passes emit loads at the offsets asserted below; change them only together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::abi {

inline constexpr std::uint32_t kVersion = 5;

struct CheckHeader;
// Of a work-group; passes count on it.
inline constexpr std::uint64_t kMostWorkItems = 4096;

// In front of a group's local memory, for what kernels keep there for themselves.
inline constexpr std::uint64_t kHiddenLocalBytes = 512;

struct Worker;

// Everything about one enqueued ND-range; read-only while the kernel runs.
struct Launch {
  const std::byte*
      args; // packed arguments, each at its KernelArgument::offset, base aligned to 128
  std::byte* program_scope; // block of program-scope variables (belongs to the cl_program), or null
  std::uint64_t work_dim;   // 1 to 3
  std::uint64_t global_size[3];   // in work-items; 1 in unused dimensions
  std::uint64_t global_offset[3]; // in work-items; 0 in unused dimensions
  std::uint64_t local_size[3];    // enqueued local size; 1 in unused dimensions
  std::uint64_t group_count[3];   // ceil(global_size / local_size)
  void* runtime;                  // the runtime's own; kernels do not look at it
  // Groups that have kMostWorkItems in x together: as many as a kernel that merges groups runs at
  // once. And the same where a group is one row of work-items, but 1 elsewhere.
  std::uint64_t merged_groups;
  std::uint64_t merged_rows;
  // For kernels with KernelMetadata::reads_in_place: not 0 if two of their pointers to global
  // memory point to parts of the same memory.
  std::uint64_t arguments_overlap;
};

// From the local size.
inline void set_merging(Launch& launch) {
  const auto* size = launch.local_size;
  launch.merged_groups = kMostWorkItems / std::min(size[0], kMostWorkItems);
  launch.merged_rows = size[1] == 1 && size[2] == 1 ? launch.merged_groups : 1;
}

// One work-group while it runs. Built by the compiled kernel on its stack for every group.
struct Group {
  const Launch* launch;
  Worker* worker;
  std::byte*
      local_memory; // static __local variables at their assigned offsets, then local arguments
  std::uint64_t group_id[3];
  std::uint64_t
      local_size[3]; // actual size of this group: smaller at the edges of a non-uniform range
};

// One work-item (later: one sub-group) of a kernel that has barriers; `index` counts from 0 inside
// the group.
using ItemFunction = void (*)(const Group* group, std::uint64_t index);

// The calling thread's arena. Kernels call its function pointers and store the current position for
// fault reports.
struct Worker {
  // Runs `item` for every index below `count`, each on its own fiber; returns when all have
  // returned.
  void (*run_fibers)(const Group* group, ItemFunction item, std::uint64_t count);
  // Called on a fiber by work-group barriers: comes back when every other live fiber of the group
  // has got here.
  void (*barrier)(Worker* worker);
  // printf: `record` is described in printf_record.h; returns 0, or -1 on failure (OpenCL
  // C 6.15.13).
  std::int32_t (*print)(Worker* worker, const std::byte* record, std::uint64_t size);
  // At least KernelMetadata::local_bytes plus local arguments, aligned to 128; kHiddenLocalBytes
  // more in front of it.
  std::byte* local_memory;
  // In x written by the kernel with volatile stores before each group, in y and z by run_groups().
  std::uint64_t current_group[3];
  std::uint64_t current_item; // linear local index, written with a volatile store before each item
  // Work-items in a row of what is running: of the group's, or of several groups' that are run as
  // one. Written like current_group.
  std::uint64_t current_row;
  // For region loops: KernelMetadata::frame_bytes for each sub-group of a work-group, aligned to
  // 64; null for kernels without.
  std::byte* frames;
  // Addresses where local memory begins and ends, the stack of kernels, the stacks of fibers or the
  // frames: what generic pointers are told apart by. Where two are equal there is none.
  std::uint64_t bounds[6];
  // Of kernels built with memory checks: `record` is described in check_record.h. Does not come
  // back if what it tells of is wrong.
  void (*check)(Worker* worker, const CheckHeader* record);
  // Actual size in y and z of the groups that current_group tells.
  std::uint64_t local_size_y;
  std::uint64_t local_size_z;
};

// A compiled kernel. Runs the groups first_group <= x < last_group of a row of groups: those that
// Worker::current_group tells in y and z.
using KernelFunction = void (*)(const Launch* launch, std::uint64_t first_group,
                                std::uint64_t last_group, Worker* worker);

// Runs the groups first <= g < last, numbered x innermost.
inline void run_groups(KernelFunction function, const Launch& launch, std::uint64_t first,
                       std::uint64_t last, Worker& worker) {
  const auto in_row = launch.group_count[0];
  std::uint64_t x = first, row = 0;
  if (last > in_row) {
    row = first / in_row;
    x = first % in_row;
  }
  std::uint64_t y = row, z = 0;
  if (row >= launch.group_count[1]) {
    y = row % launch.group_count[1];
    z = row / launch.group_count[1];
  }
  while (first < last) {
    const auto end = std::min(x + (last - first), in_row);
    worker.current_group[1] = y;
    worker.current_group[2] = z;
    worker.local_size_y =
        std::min(launch.local_size[1], launch.global_size[1] - y * launch.local_size[1]);
    worker.local_size_z =
        std::min(launch.local_size[2], launch.global_size[2] - z * launch.local_size[2]);
    function(&launch, x, end, &worker);
    first += end - x;
    x = 0;
    if (++y == launch.group_count[1]) {
      y = 0;
      ++z;
    }
  }
}

// Name of the one symbol that a kernel object exports: KernelFunction[], in the order of
// ProgramMetadata::kernels.
inline constexpr const char* kKernelTableSymbol = "heddle_kernels";

static_assert(offsetof(Launch, args) == 0 && offsetof(Launch, program_scope) == 8);
static_assert(offsetof(Launch, work_dim) == 16 && offsetof(Launch, global_size) == 24);
static_assert(offsetof(Launch, global_offset) == 48 && offsetof(Launch, local_size) == 72);
static_assert(offsetof(Launch, group_count) == 96 && offsetof(Launch, runtime) == 120);
static_assert(offsetof(Launch, merged_groups) == 128 && offsetof(Launch, merged_rows) == 136);
static_assert(offsetof(Launch, arguments_overlap) == 144);
static_assert(offsetof(Group, launch) == 0 && offsetof(Group, worker) == 8);
static_assert(offsetof(Group, local_memory) == 16 && offsetof(Group, group_id) == 24);
static_assert(offsetof(Group, local_size) == 48 && sizeof(Group) == 72);
static_assert(offsetof(Worker, run_fibers) == 0 && offsetof(Worker, barrier) == 8);
static_assert(offsetof(Worker, print) == 16 && offsetof(Worker, local_memory) == 24);
static_assert(offsetof(Worker, current_group) == 32 && offsetof(Worker, current_item) == 56);
static_assert(offsetof(Worker, current_row) == 64 && offsetof(Worker, frames) == 72);
static_assert(offsetof(Worker, bounds) == 80 && offsetof(Worker, check) == 128);
static_assert(offsetof(Worker, local_size_y) == 136 && offsetof(Worker, local_size_z) == 144);

} // namespace heddle::abi
