// What kernels that are built with memory checks (HEDDLE_CHECK=memory) are held to: async copies
// stay in the memory of their arguments and variables, and reservations of pipes are used as OpenCL
// C 6.15.14 says. One object a launch; kernels come here through abi::Worker::check.
#pragma once

#include "compiler/interface/check_record.h"
#include "compiler/interface/metadata.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle {

class AllocationMap;

// Memory that a kernel may touch.
struct MemoryBlock {
  std::uint64_t begin = 0; // address, or, of local memory, the offset in the group's; 0: null
  std::uint64_t bytes = 0;
  bool is_local = false;
  std::uint64_t argument = 0; // its number plus one; 0 for a variable
  std::string what;           // "argument 2 'tile'"
};

class LaunchChecks {
 public:
  // Memory beside that of arguments and variables, which kernels may know by addresses that they
  // find in memory (OpenCL API 5.6).
  struct Indirect {
    const AllocationMap& allocations; // of the context, which the launch keeps
    // Whether memory that nothing is known of may be the host's own.
    bool allows_system;
  };

  // Adds the variables that the metadata tells of to the blocks. Throws std::bad_alloc.
  LaunchChecks(std::vector<MemoryBlock> blocks, Indirect indirect, const KernelMetadata& kernel,
               const std::byte* program_scope);

  // Whether the call is right; if not, `message` says what is wrong and where. Thread-safe.
  bool passes(const abi::CheckHeader& record, const std::byte* local_memory,
              std::string& message) noexcept;
  // After the last work-item: reservations that were never committed.
  bool has_uncommitted() noexcept;
  std::string uncommitted();

 private:
  struct Side;
  std::string check_copy(const abi::CheckHeader& record, std::uint64_t local_memory) const;
  std::string check_side(const Side& side, std::uint64_t local_memory) const;
  std::string check_pipe(const abi::CheckHeader& record, std::uint64_t local_memory);

  // A reservation that is active.
  struct Key {
    std::uint64_t ring;
    std::uint64_t id;
    bool writes;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept {
      return std::hash<std::uint64_t>()(key.ring ^ key.id * 2 ^ (key.writes ? 1 : 0));
    }
  };
  struct Reservation {
    const char* place; // in the machine code, which the launch keeps
    abi::CheckedCall call;
  };

  std::vector<MemoryBlock> blocks_;
  const Indirect indirect_;
  std::mutex mutex_;
  // Of no packets there may be several with one id.
  std::unordered_multimap<Key, Reservation, KeyHash> active_;
  std::atomic<bool> lost_{false}; // memory was exhausted: what is active is not known any more
};

} // namespace heddle
