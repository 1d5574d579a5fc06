// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_context (OpenCL API 4.4).
#pragma once

#include "runtime/core/object.h"
#include "runtime/core/result.h"
#include "runtime/device/device.h"

#include <CL/cl.h>

#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace heddle {

class Context final : public Object {
 public:
  static constexpr Kind kKind = Kind::context;
  using Notify = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);
  using Destructor = void(CL_CALLBACK*)(cl_context, void*);

  Context(std::vector<ParentRef<Device>> devices, std::vector<cl_context_properties> properties,
          Notify notify, void* user_data);

  std::span<const ParentRef<Device>> devices() const { return devices_; }
  bool has(const Device* device) const;
  // As given to clCreateContext, with the terminating zero; empty if none were given.
  std::span<const cl_context_properties> properties() const { return properties_; }
  // Calls the user's error callback, if there is one. Thread-safe, but not async-signal-safe.
  void report(const std::string& message) const;
  void add_destructor(Destructor callback, void* user_data);

 private:
  ~Context() override;
  void on_user_released() noexcept override;

  std::vector<ParentRef<Device>> devices_;
  std::vector<cl_context_properties> properties_;
  Notify notify_;
  void* user_data_;
  std::mutex mutex_;
  std::vector<std::pair<Destructor, void*>> destructors_;
};

} // namespace heddle
