// cl_mem: buffers and sub-buffers (OpenCL API 5.2).
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/object.h"
#include "runtime/core/result.h"

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

class Memory final : public Object {
 public:
  static constexpr Kind kKind = Kind::memory;
  using Destructor = void(CL_CALLBACK*)(cl_mem, void*);

  // A buffer of `size` bytes, not 0. `flags` and `properties` (with the closing zero, or empty)
  // have been checked. With CL_MEM_USE_HOST_PTR the contents stay where `host` is, with
  // CL_MEM_COPY_HOST_PTR they are copied from there. CL_MEM_OBJECT_ALLOCATION_FAILURE,
  // CL_OUT_OF_HOST_MEMORY.
  static Result<Ref<Memory>> make_buffer(Context& context, cl_mem_flags flags, std::size_t size,
                                         void* host, std::vector<cl_mem_properties> properties);
  // Bytes [origin, origin + size) of a buffer that is not itself a sub-buffer.
  static Ref<Memory> make_sub_buffer(Memory& parent, cl_mem_flags flags, std::size_t origin,
                                     std::size_t size);

  Context& context() const { return *context_; }
  Memory* parent() const { return parent_.get(); } // of a sub-buffer, else null
  // The buffer that has the bytes: the parent of a sub-buffer, else this one.
  const Memory& whole() const { return parent_ ? *parent_ : *this; }
  cl_mem_flags flags() const { return flags_; }
  // Where kernels and the host see the contents (one place: the device is the host).
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; } // in bytes
  // CL_MEM_HOST_PTR: what the user gave with CL_MEM_USE_HOST_PTR, else null.
  void* host_pointer() const { return flags_ & CL_MEM_USE_HOST_PTR ? data_ : nullptr; }
  std::size_t offset() const { return parent_ ? data_ - parent_->data_ : 0; } // in the parent
  std::span<const cl_mem_properties> properties() const { return properties_; }

  // Regions mapped and not yet unmapped; a pointer may be mapped several times.
  cl_uint map_count() const { return map_count_.load(std::memory_order_relaxed); }
  void add_mapping(const void* pointer);
  // False if nothing is mapped there.
  bool remove_mapping(const void* pointer);
  // Called in reverse order of adding when nothing uses the memory any more.
  void add_destructor(Destructor function, void* user_data);

 private:
  Memory(Context& context, Memory* parent, cl_mem_flags flags, std::byte* data, std::size_t size,
         std::size_t owned_bytes, std::vector<cl_mem_properties> properties);
  ~Memory() override;

  ParentRef<Context> context_;
  ParentRef<Memory> parent_;
  const cl_mem_flags flags_;
  std::byte* const data_;
  const std::size_t size_;
  const std::size_t owned_bytes_; // 0: the memory is the user's or the parent's
  const std::vector<cl_mem_properties> properties_;
  std::atomic<cl_uint> map_count_{0};
  struct DestructorEntry {
    Destructor function;
    cl_mem handle; // no longer valid when the callback gets it
    void* user_data;
  };
  std::mutex mutex_;
  std::unordered_map<const void*, cl_uint> mappings_;
  std::vector<DestructorEntry> destructors_;
};

} // namespace heddle
