// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_semaphore_khr (cl_khr_semaphore).
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/object.h"
#include "runtime/semaphore/payload.h"

#include <CL/cl.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heddle {

// A binary semaphore. Commands that use it keep it.
class Semaphore final : public Object {
 public:
  static constexpr Kind kKind = Kind::semaphore;

  struct Options {
    std::vector<cl_properties> properties; // as given, with the terminating zero
    std::vector<ParentRef<Device>> devices;
    std::vector<cl_uint> export_types; // CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR
    std::optional<int> import_file;    // CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR
  };

  Semaphore(Context& context, Options options, std::shared_ptr<Payload> payload)
      : Object(Kind::semaphore), context_(&context), options_(std::move(options)),
        payload_(std::move(payload)) {}

  Context& context() const { return *context_; }
  std::span<const cl_properties> properties() const { return options_.properties; }
  // The types of handles that it can be exported as.
  std::span<const cl_uint> export_types() const { return options_.export_types; }
  // Those whose queues may use it.
  std::span<const ParentRef<Device>> devices() const { return options_.devices; }
  bool has(const Device& device) const {
    for (const auto& own : options_.devices)
      if (own.get() == &device)
        return true;
    return false;
  }
  Payload& payload() const { return *payload_; }

 private:
  ~Semaphore() override = default;

  ParentRef<Context> context_;
  const Options options_;
  const std::shared_ptr<Payload> payload_;
};

} // namespace heddle
