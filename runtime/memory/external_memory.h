// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that others have made and tell by the descriptor of a file: cl_khr_external_memory and
// cl_arm_import_memory.
#pragma once

#include "runtime/core/result.h"
#include "runtime/device/device.h"

#include <CL/cl.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heddle::external_memory {

// Owns a descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int file) noexcept : file_(file) {}
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~Descriptor();
  int get() const noexcept { return file_; }
  int release() noexcept { return std::exchange(file_, -1); }

 private:
  int file_ = -1;
};

// What a memory object keeps of what it was imported from.
struct Source {
  std::vector<ParentRef<Device>> devices; // whose queues acquire and release it
  Descriptor dma_buf;                     // none for other types
};

// The mapping of a file's first `size` bytes, which become those of a memory object.
class Mapping {
 public:
  // The descriptor may be any number, and can be closed afterwards. Nothing if it is none of a file
  // that can be mapped in this way. CL_INVALID_BUFFER_SIZE if the file is shorter,
  // CL_OUT_OF_HOST_MEMORY.
  static Result<std::optional<Mapping>> make(int file, std::size_t size, bool is_writable) noexcept;

  Mapping(Mapping&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Mapping();
  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  void release() noexcept { data_ = nullptr; }

 private:
  Mapping(std::byte* data, std::size_t size) noexcept : data_(data), size_(size) {}

  std::byte* data_;
  std::size_t size_;
};

// The processor is about to access these bytes, or has done so. Waits for devices that do. A
// command status: CL_COMPLETE or an error.
cl_int begin_access(const Source& source) noexcept;
cl_int end_access(const Source& source) noexcept;

} // namespace heddle::external_memory
