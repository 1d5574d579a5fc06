// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The allocations of a context that programs know by their addresses: SVM (OpenCL API
// 5.6), USM (cl_intel_unified_shared_memory) and buffers with a device address
// (cl_ext_buffer_device_address).
#pragma once

#include "runtime/core/read_mostly_mutex.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle {

class Device;

// Which call has made an allocation; bits, so that sets of them can be asked for.
enum AllocationKind : std::uint8_t {
  kSvmAllocation = 1,
  kHostAllocation = 2,
  kDeviceAllocation = 4,
  kSharedAllocation = 8,
  kBufferAllocation = 16, // of a cl_mem, which gives the memory back itself
};
constexpr unsigned kUsmAllocations = kHostAllocation | kDeviceAllocation | kSharedAllocation;
constexpr unsigned kAllAllocations = kUsmAllocations | kSvmAllocation | kBufferAllocation;

// What clSVMAllocWithPropertiesKHR was given, beside device and flags (cl_khr_unified_svm).
struct SvmProperties {
  std::uint8_t type = 0;      // index of the type of SVM
  std::uint8_t alignment = 0; // one more than its binary logarithm, or 0
  // From the low bits on: whether there was a list, then which property each entry is, as numbers
  // of two bits, 0 at the end.
  std::uint8_t list = 0;
};

struct Allocation {
  std::byte* begin = nullptr;
  std::size_t size = 0; // in bytes, not 0
  AllocationKind kind = kSvmAllocation;
  Device* device = nullptr; // one of the context's, which keeps it, or null
  // As given: cl_svm_mem_flags, cl_mem_alloc_flags_intel, or, if `svm` has a list,
  // cl_svm_alloc_access_flags_khr.
  cl_bitfield flags = 0;
  SvmProperties svm{}; // of SVM

  std::byte* end() const { return begin + size; }
  // Whether [pointer, pointer + bytes) lies within it.
  bool contains(const void* pointer, std::size_t bytes = 1) const {
    const auto offset =
        reinterpret_cast<std::uintptr_t>(pointer) - reinterpret_cast<std::uintptr_t>(begin);
    return offset < size && bytes <= size - offset;
  }
  // "the shared USM allocation of 4096 bytes at 0x7f..."
  std::string name() const;
};

// Thread-safe, and threads that look up do not wait for each other. Small allocations, of which
// there may be millions, are found through a hash table of pages: a tree of all of them costs a
// cache miss for each of its twenty levels. Large ones are in a tree.
class AllocationMap {
 public:
  AllocationMap() = default;
  AllocationMap(const AllocationMap&) = delete;
  AllocationMap& operator=(const AllocationMap&) = delete;
  // Frees the remaining allocations except those of buffers.
  ~AllocationMap();

  // It must not overlap another. Throws std::bad_alloc.
  void add(const Allocation& allocation);
  // The allocation that the address lies in, if it is of one of these kinds.
  std::optional<Allocation> find(const void* pointer, unsigned kinds = kAllAllocations) const;
  // The one that lies nearest to the address. Takes time for each allocation: for messages.
  std::optional<Allocation> nearest(const void* pointer) const;
  // Takes out the allocation that begins there, if it is of one of these kinds; its memory becomes
  // the caller's.
  std::optional<Allocation> remove(const void* begin, unsigned kinds);
  bool empty() const;

 private:
  using Tree = std::map<std::uintptr_t, Allocation>; // by their first address
  using Pages = std::unordered_map<std::uintptr_t, std::vector<Allocation>>; // what touches a page

  // With the lock held.
  const Allocation* find_locked(std::uintptr_t address) const HEDDLE_REQUIRES_SHARED(mutex_);
  void remove_from_pages(const Allocation& allocation) HEDDLE_REQUIRES(mutex_);
  template <class Visit>
  void for_each(Visit visit) const HEDDLE_REQUIRES_SHARED(mutex_);

  mutable ReadMostlyMutex mutex_;
  Tree large_ HEDDLE_GUARDED_BY(mutex_);
  Pages small_ HEDDLE_GUARDED_BY(mutex_);
};

// Where the address lies: "16 bytes after the end of the shared USM allocation of ...". Empty if
// the map is.
std::string describe_address(const AllocationMap& map, const void* address);

} // namespace heddle
