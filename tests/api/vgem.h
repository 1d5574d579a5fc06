// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linux' virtual device vgem (`modprobe vgem`), which makes DMA buffers of ordinary memory, and
// fences that a test signals: what other drivers share. The numbers are those of its interface,
// which Debian has no header of.
#pragma once

#include "tests/api/support.h"

#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <linux/dma-buf.h>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

namespace heddle::test {

class Vgem {
 public:
  Vgem() {
    std::error_code none;
    for (const auto& card :
         std::filesystem::directory_iterator("/sys/devices/platform/vgem/drm", none)) {
      const auto name = card.path().filename().string();
      if (name.starts_with("card"))
        device_ = open(("/dev/dri/" + name).c_str(), O_RDWR | O_CLOEXEC);
    }
  }
  Vgem(const Vgem&) = delete;
  Vgem& operator=(const Vgem&) = delete;
  ~Vgem() {
    if (device_ >= 0)
      close(device_);
  }
  bool is_there() const { return device_ >= 0; }

  struct Buffer {
    std::uint32_t handle;
    int file; // a DMA buffer's, which the caller closes or gives away
  };
  // Of whole pages.
  Buffer make_buffer(std::size_t bytes) const {
    struct {
      std::uint32_t height, width, bits, flags, handle, pitch;
      std::uint64_t size;
    } dumb{1, static_cast<std::uint32_t>(bytes / 4), 32, 0, 0, 0, 0};
    check(ioctl(device_, _IOC(_IOC_READ | _IOC_WRITE, 'd', 0xB2, sizeof dumb), &dumb),
          "vgem: a buffer");
    struct {
      std::uint32_t handle, flags;
      std::int32_t file;
    } shared{dumb.handle, O_RDWR | O_CLOEXEC, -1};
    check(ioctl(device_, _IOC(_IOC_READ | _IOC_WRITE, 'd', 0x2D, sizeof shared), &shared),
          "vgem: a DMA buffer");
    return {dumb.handle, shared.file};
  }

  struct Fence {
    std::uint32_t number;
    int file; // a sync file's, which the caller closes or gives away
  };
  // Of a writer of the buffer that has not ended; without a signal it ends after ten seconds.
  Fence make_fence(const Buffer& buffer) const {
    constexpr std::uint32_t kWrites = 1;
    struct {
      std::uint32_t handle, flags, fence, padding;
    } attached{buffer.handle, kWrites, 0, 0};
    check(ioctl(device_, _IOC(_IOC_READ | _IOC_WRITE, 'd', 0x41, sizeof attached), &attached),
          "vgem: a fence");
    dma_buf_export_sync_file exported{DMA_BUF_SYNC_RW, -1};
    check(ioctl(buffer.file, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &exported), "vgem: a sync file");
    return {attached.fence, exported.fd};
  }
  void signal(const Fence& fence) const {
    struct {
      std::uint32_t fence, flags;
    } signaled{fence.number, 0};
    check(ioctl(device_, _IOC(_IOC_WRITE, 'd', 0x42, sizeof signaled), &signaled),
          "vgem: a signal");
  }

 private:
  int device_ = -1;
};

} // namespace heddle::test
