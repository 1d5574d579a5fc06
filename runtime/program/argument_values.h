// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's arguments as set by clSetKernelArg, and the copy that a command keeps.
#pragma once

#include "compiler/interface/specialization.h"
#include "runtime/allocation/allocation_map.h"
#include "runtime/core/result.h"
#include "runtime/execution/kernel_launch.h"
#include "runtime/memory/memory.h"
#include "runtime/program/unit.h"

#include <CL/cl.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace heddle {

// Not thread-safe: callers hold the kernel's lock.
//
// A memory object is stored as its handle: a kernel must not keep its arguments alive (OpenCL API
// 5.9.2), so that a user who releases a buffer knows when its storage is no longer used.
class ArgumentValues {
 public:
  // The declaration must outlive the values.
  explicit ArgumentValues(const KernelDeclaration& kernel);

  void set_value(std::size_t index, const void* value);
  void set_memory(std::size_t index, cl_mem memory); // null sets a null pointer
  // A plain address: of SVM, USM, a buffer with a device address, or of the host.
  void set_pointer(std::size_t index, const void* address);
  void set_local(std::size_t index, std::uint64_t size);
  void set_queue(std::size_t index, cl_command_queue queue); // a device queue

  bool is_complete() const { return set_count_ == kernel_.arguments.size(); }
  // Static local memory, of which a unit has `static_bytes`, and local arguments together, in
  // bytes.
  std::uint64_t local_bytes(std::uint64_t static_bytes) const;
  // An immutable copy that keeps the memory objects. CL_INVALID_KERNEL_ARGS if an argument was
  // never set or its memory object has been released since, CL_OUT_OF_HOST_MEMORY.
  Result<Ref<ArgumentBlock>> capture(std::uint64_t static_bytes) const;
  // Writes the values into such a copy, since which nothing else has changed.
  void write_values(ArgumentBlock& captured) const;
  // Another copy, with the values of now, which keeps no memory objects: such a copy must outlive
  // it. Null without memory.
  Ref<ArgumentBlock> copy_values(const ArgumentBlock& captured) const;
  // Whether two arguments, of which one at least is a pointer to global memory and the other one
  // may be an image, may have overlapping memory; if `written` is given, two of which one has an
  // index in it.
  bool overlap(const AllocationMap& allocations,
               const std::vector<std::uint32_t>* written = nullptr) const;
  // Adds what a unit may be compiled for: the formats of the images, and the samplers, that are
  // set.
  void add_known(Specialization& known) const;
  // The number, if the argument is set, and by its size an integer.
  std::optional<double> integer(std::size_t index) const;
  // The memory of pointer arguments, for kernels with memory checks; addresses outside of all
  // allocations are left out. Throws std::bad_alloc.
  std::vector<MemoryBlock> blocks(const AllocationMap& allocations,
                                  std::uint64_t static_bytes) const;
  // The sizes of the buffers and allocations that pointer arguments lead to, each once. Nothing if
  // one is an address outside of all allocations. Throws std::bad_alloc.
  std::optional<std::uint64_t> memory_bytes(const AllocationMap& allocations) const;
  // Whether an argument is an address outside of all allocations.
  bool has_foreign_pointer(const AllocationMap& allocations) const;

 private:
  struct MemoryArgument {
    std::uint32_t offset; // in the packed arguments
    cl_mem handle;
  };
  void mark_set(std::size_t index);
  bool is_pointer(std::size_t index) const {
    const auto kind = kernel_.arguments[index].kind;
    return is_set_[index] &&
           (kind == ArgumentKind::global_pointer || kind == ArgumentKind::constant_pointer);
  }
  const std::byte* address(std::size_t index) const;
  // The memory object of an argument, or null.
  cl_mem memory_handle(std::size_t index) const;
  // The same as a buffer.
  const Memory* memory(std::size_t index) const;

  // Calls visit(argument index, offset in local memory) for each local argument; returns the end.
  template <class Visit>
  std::uint64_t place_locals(std::uint64_t static_bytes, Visit visit) const;

  const KernelDeclaration& kernel_;
  std::vector<std::byte> packed_;
  std::vector<bool> is_set_; // by argument
  std::size_t set_count_ = 0;
  std::vector<MemoryArgument> memories_;
  std::vector<std::uint32_t> queue_offsets_; // of device queues, in the packed arguments
  std::vector<std::uint64_t> local_sizes_;   // by argument; empty if there are no local ones
};

} // namespace heddle
