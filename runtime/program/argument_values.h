// A kernel's arguments as set so far. A block that a command has captured is never changed: the
// next clSetKernelArg works on a copy.
#pragma once

#include "runtime/execution/kernel_launch.h"
#include "runtime/memory/memory.h"

#include <memory>
#include <vector>

namespace heddle {

class ArgumentValues final : public ArgumentBlock {
 public:
  // Null when memory is exhausted. The metadata must outlive the block.
  static Ref<ArgumentValues> create(const KernelMetadata& kernel);
  Ref<ArgumentValues> copy() const;

  const std::byte* bytes() const override { return bytes_.get(); }
  std::uint64_t local_bytes() const override { return local_bytes_; }
  bool complete() const { return set_count_ == kernel_.arguments.size(); }

  void set_value(std::size_t index, const void* value);
  void set_memory(std::size_t index, Memory* memory); // null: a null pointer
  void set_local(std::size_t index, std::uint64_t size);

 private:
  explicit ArgumentValues(const KernelMetadata& kernel);
  void mark_set(std::size_t index);

  struct Free {
    void operator()(std::byte* memory) const;
  };
  const KernelMetadata& kernel_;
  std::unique_ptr<std::byte, Free> bytes_;
  std::vector<bool> is_set_;
  std::size_t set_count_ = 0;
  std::vector<Ref<Memory>> memories_; // by argument; empty if the kernel has no memory arguments
  std::vector<std::uint64_t>
      local_sizes_; // by argument; empty if the kernel has no local arguments
  std::uint64_t local_bytes_;
};

} // namespace heddle
