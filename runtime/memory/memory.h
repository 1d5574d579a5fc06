// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_mem: buffers and sub-buffers (OpenCL API 5.2), pipes (5.4), and the base of images (5.3,
// runtime/image).
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/lock.h"
#include "runtime/core/object.h"
#include "runtime/core/result.h"
#include "runtime/core/spare_references.h"
#include "runtime/memory/external_memory.h"
#include "runtime/pipe/ring.h"

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

// CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, which older headers lack.
constexpr cl_mem_properties kDeviceAddressProperty = 0x5000;
// CL_MEM_IMMUTABLE_EXT (cl_ext_immutable_memory_objects).
constexpr cl_mem_flags kImmutable = 1 << 6;

class Memory : public Object {
 public:
  static constexpr Kind kKind = Kind::memory;
  using Destructor = void(CL_CALLBACK*)(cl_mem, void*);

  // Who owns the bytes.
  enum class Storage : std::uint8_t {
    own,    // from storage::allocate
    mapped, // from mmap
    others, // the user or the parent buffer
  };

  // A buffer of `size` bytes, not 0, initially zero. `flags` and `properties` (with the terminating
  // zero, or empty) are validated. With CL_MEM_USE_HOST_PTR the contents are at `host`, with
  // CL_MEM_COPY_HOST_PTR they are copied from there. CL_INVALID_BUFFER_SIZE if `host` is in an SVM
  // or USM allocation that ends before the buffer does, CL_MEM_OBJECT_ALLOCATION_FAILURE,
  // CL_OUT_OF_HOST_MEMORY.
  static Result<Ref<Memory>> make_buffer(Context& context, cl_mem_flags flags, std::size_t size,
                                         void* host, std::vector<cl_mem_properties> properties);
  // A buffer of memory of the host's (cl_arm_import_memory): `size` bytes that stay where they are.
  static Result<Ref<Memory>> make_imported(Context& context, cl_mem_flags flags, void* data,
                                           std::size_t size);
  // A buffer of the mapping, with what cl_khr_external_memory gave for it or without.
  static Result<Ref<Memory>> make_imported(Context& context, cl_mem_flags flags,
                                           external_memory::Mapping&& mapping,
                                           std::vector<cl_mem_properties> properties,
                                           std::unique_ptr<external_memory::Source> source);
  // Bytes [origin, origin + size) of a buffer that is not itself a sub-buffer.
  static Ref<Memory> make_sub_buffer(Memory& parent, cl_mem_flags flags, std::size_t origin,
                                     std::size_t size);

  // A pipe; sizes and flags are validated. CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY.
  static Result<Ref<Memory>> make_pipe(Context& context, cl_mem_flags flags, cl_uint packet_size,
                                       cl_uint max_packets);

  // For a command.
  Ref<Memory> keep() noexcept { return spare_.take(*this); }

  Context& context() const { return *context_; }
  cl_mem_object_type type() const { return type_; }
  bool is_pipe() const { return type_ == CL_MEM_OBJECT_PIPE; }
  bool is_image() const { return !is_pipe() && type_ != CL_MEM_OBJECT_BUFFER; }
  // Of a pipe: the argument that kernels get.
  pipe_ring::Ring& ring() const { return *reinterpret_cast<pipe_ring::Ring*>(data_); }

  // Of a sub-buffer the buffer, of an image made from a buffer or an image that one, else null.
  Memory* parent() const { return parent_.get(); }
  // The object that owns the bytes: this one or the oldest of its parents.
  const Memory& whole() const { return parent_ ? parent_->whole() : *this; }
  cl_mem_flags flags() const { return flags_; }
  // Of an object of cl_khr_external_memory; null for others.
  external_memory::Source* external_source() const { return external_source_.get(); }
  // No command and no kernel may change the contents.
  bool is_immutable() const { return flags_ & kImmutable; }
  // The address of the contents, for kernels and for the host.
  std::byte* data() const { return data_; }
  // What a kernel gets as its argument: the contents, or an image's descriptor.
  const void* argument() const { return argument_; }
  std::size_t size() const { return size_; } // in bytes
  // CL_MEM_HOST_PTR: the user's pointer with CL_MEM_USE_HOST_PTR, otherwise null.
  void* host_pointer() const { return flags_ & CL_MEM_USE_HOST_PTR ? data_ : nullptr; }
  std::size_t offset() const { return parent_ ? data_ - parent_->data_ : 0; } // in the parent
  std::span<const cl_mem_properties> properties() const { return properties_; }
  // Whether it was made over SVM (CL_MEM_USES_SVM_POINTER).
  bool uses_svm_pointer() const { return whole().over_svm_; }
  // Whether it was asked to have an address for its lifetime (cl_ext_buffer_device_address).
  bool has_device_address() const { return has_device_address_; }

  // The mapped regions; a pointer may be mapped several times.
  cl_uint map_count() const { return map_count_.load(std::memory_order_relaxed); }
  void add_mapping(const void* pointer);
  // False if no region is mapped at that pointer.
  bool remove_mapping(const void* pointer);
  // Called in reverse order of registration when nothing uses the memory any more.
  void add_destructor(Destructor function, void* user_data);

 protected:
  Memory(Context& context, cl_mem_object_type type, Memory* parent, cl_mem_flags flags,
         std::byte* data, std::size_t size, Storage storage,
         std::vector<cl_mem_properties> properties);
  ~Memory() override;

  void set_argument(const void* argument) { argument_ = argument; }
  void set_external_source(std::unique_ptr<external_memory::Source> source) {
    external_source_ = std::move(source);
  }

 private:
  void on_user_released() noexcept override { spare_.close(*this); }
  void add_address(bool is_own);

  ParentRef<Context> context_;
  ParentRef<Memory> parent_;
  const cl_mem_object_type type_;
  const cl_mem_flags flags_;
  std::byte* const data_;
  const void* argument_;
  const std::size_t size_;
  const Storage storage_;
  bool over_svm_ = false;
  bool has_device_address_ = false;
  bool is_in_map_ = false; // of the context's allocations
  const std::vector<cl_mem_properties> properties_;
  std::unique_ptr<external_memory::Source> external_source_;
  std::atomic<cl_uint> map_count_{0};
  struct DestructorEntry {
    Destructor function;
    cl_mem handle; // already invalid when it is passed to the callback
    void* user_data;
  };
  SleepingMutex mutex_;
  std::unordered_map<const void*, cl_uint> mappings_ HEDDLE_GUARDED_BY(mutex_);
  std::vector<DestructorEntry> destructors_ HEDDLE_GUARDED_BY(mutex_);
  SpareReferences spare_;
};

// The buffer of a handle, or null, also for a pipe.
inline Memory* find_buffer(const void* handle) noexcept {
  auto* memory = find<Memory>(handle);
  return memory && memory->type() == CL_MEM_OBJECT_BUFFER ? memory : nullptr;
}

// The pipe of a handle, or null.
inline Memory* find_pipe(const void* handle) noexcept {
  auto* memory = find<Memory>(handle);
  return memory && memory->is_pipe() ? memory : nullptr;
}

} // namespace heddle
