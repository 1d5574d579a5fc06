// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_platform_id: the platform and its root device (OpenCL API 4.1).
#pragma once

#include "runtime/core/object.h"
#include "runtime/device/device.h"

namespace heddle {

class Platform final : public Object {
 public:
  static constexpr Kind kKind = Kind::platform;

  // Created at the first call, never destroyed; null only if memory is exhausted.
  static Platform* get() noexcept;
  Device& device() const { return *device_; }

 private:
  explicit Platform(Device& device);

  ParentRef<Device> device_;
};

} // namespace heddle
