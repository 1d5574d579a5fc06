// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_semaphore_khr (cl_khr_semaphore).
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/lock.h"
#include "runtime/core/mutex.h"
#include "runtime/core/object.h"
#include "runtime/semaphore/payload.h"

#include <CL/cl.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heddle {

// A binary semaphore. Commands that use it keep its payload.
class Semaphore final : public Object {
 public:
  static constexpr Kind kKind = Kind::semaphore;

  struct Options {
    std::vector<cl_properties> properties; // as given, with the terminating zero
    std::vector<ParentRef<Device>> devices;
    std::vector<cl_uint> export_types; // CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR
    struct Handle {
      cl_uint type; // CL_SEMAPHORE_HANDLE_*
      int file;
    };
    std::optional<Handle> import;
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
  std::shared_ptr<Payload> payload() const noexcept {
    const Lock lock(mutex_);
    return payload_;
  }
  // Whether it was made from a handle of that type.
  bool is_imported_from(cl_uint type) const {
    return options_.import && options_.import->type == type;
  }
  // Commands enqueued from now on use another payload (clReImportSemaphoreSyncFdKHR).
  void replace_payload(std::shared_ptr<Payload> payload) noexcept {
    const Lock lock(mutex_);
    payload_.swap(payload);
  }

 private:
  ~Semaphore() override = default;

  ParentRef<Context> context_;
  const Options options_;
  mutable Mutex mutex_;
  std::shared_ptr<Payload> payload_ HEDDLE_GUARDED_BY(mutex_);
};

} // namespace heddle
