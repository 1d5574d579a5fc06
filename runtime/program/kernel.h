// cl_kernel (OpenCL API 5.9).
#pragma once

#include "runtime/core/object.h"
#include "runtime/core/result.h"
#include "runtime/execution/kernel_launch.h"
#include "runtime/program/program.h"

namespace heddle {

class Kernel final : public Object {
 public:
  static constexpr Kind kKind = Kind::kernel;

  Program& program() const;
  const KernelMetadata& metadata() const;
  // The launch with the arguments as they are now; CL_INVALID_KERNEL_ARGS if one was never set,
  // CL_OUT_OF_RESOURCES if local memory exceeds the device's.
  Result<KernelLaunch> capture(Device& device, const NDRange& range);
};

} // namespace heddle
