// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/external_memory.h"

#include <cerrno>
#include <cstdint>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::external_memory {
namespace {

// Only a dma_buf has something to be done. Others that can be mapped are plain memory.
cl_int synchronize(const Source& source, std::uint64_t flags) noexcept {
  if (source.dma_buf.get() < 0)
    return CL_COMPLETE;
  dma_buf_sync request{flags | DMA_BUF_SYNC_RW};
  for (;;) {
    if (ioctl(source.dma_buf.get(), DMA_BUF_IOCTL_SYNC, &request) == 0 || errno == ENOTTY)
      return CL_COMPLETE;
    if (errno != EINTR && errno != EAGAIN)
      return CL_OUT_OF_RESOURCES;
  }
}

} // namespace

Descriptor::~Descriptor() {
  if (file_ >= 0)
    close(file_);
}

Mapping::~Mapping() {
  if (data_)
    munmap(data_, size_);
}

Result<std::optional<Mapping>> Mapping::make(int file, std::size_t size,
                                             bool is_writable) noexcept {
  struct stat status {};
  const auto length = lseek(file, 0, SEEK_END);
  if (length < 0 || fstat(file, &status) != 0 || S_ISDIR(status.st_mode))
    return std::optional<Mapping>();
  if (size > static_cast<std::uint64_t>(length))
    return CL_INVALID_BUFFER_SIZE;
  auto* data =
      mmap(nullptr, size, is_writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) {
    if (errno == ENOMEM)
      return CL_OUT_OF_HOST_MEMORY;
    return std::optional<Mapping>();
  }
  return std::optional<Mapping>(Mapping(static_cast<std::byte*>(data), size));
}

cl_int begin_access(const Source& source) noexcept {
  return synchronize(source, DMA_BUF_SYNC_START);
}

cl_int end_access(const Source& source) noexcept { return synchronize(source, DMA_BUF_SYNC_END); }

} // namespace heddle::external_memory
