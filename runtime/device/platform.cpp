// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/platform.h"

#include "runtime/device/thread_count.h"

#include <exception>
#include <new>

namespace heddle {

Platform::Platform(Device& device) : Object(Kind::platform), device_(&device) {}

Platform* Platform::get() noexcept {
  try {
    static Platform* const instance = [] {
      auto device = make_ref<Device>(nullptr, thread_choice().cpus,
                                     std::vector<cl_device_partition_property>{});
      auto* platform = device ? new Platform(*device) : nullptr;
      if (!platform)
        throw std::bad_alloc();
      // The user holds one reference to each root device, which clReleaseDevice does not release.
      device->retain_user();
      platform->retain_user();
      return platform;
    }();
    return instance;
  } catch (const std::exception&) {
    return nullptr;
  }
}

} // namespace heddle
