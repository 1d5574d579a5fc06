// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One launch of a kernel: everything that its execution needs, captured from the kernel object.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "compiler/interface/metadata.h"
#include "runtime/core/object.h"
#include "runtime/execution/device_queue.h"
#include "runtime/execution/kernel_table.h"
#include "runtime/execution/launch_checks.h"
#include "runtime/execution/variant_trial.h"
#include "runtime/pipe/pipes_in_use.h"
#include "runtime/profile/profile.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace heddle {

struct NDRange {
  std::uint32_t work_dim = 1;
  std::size_t global_offset[3] = {0, 0, 0};
  std::size_t global_size[3] = {1, 1, 1};
  std::size_t local_size[3] = {1, 1, 1};
};

// A kernel's argument values; immutable once captured (clSetKernelArg copies a captured block
// first).
class ArgumentBlock : public Object {
 public:
  virtual const std::byte* bytes() const = 0;    // packed, aligned to 128
  virtual std::uint64_t local_bytes() const = 0; // static local memory and local arguments together

 protected:
  using Object::Object;
};

// The code of a kernel, and how it was compiled.
struct KernelVariant {
  abi::KernelFunction function = nullptr;
  const KernelMetadata* metadata = nullptr;
};

struct KernelLaunch {
  Ref<KernelTable> loaded; // keeps the machine code, metadata and program-scope variables alive
  Ref<ArgumentBlock> arguments; // keeps the memory objects alive
  KernelVariant variant;
  // With a trial: another variant, in which some of the groups may run.
  KernelVariant challenger;
  VariantTrial* trial = nullptr; // kept by `loaded`
  // The variant that takes the place of `variant` as soon as it is there, or null; kept by
  // `loaded`. It is used if it needs no more static local memory, allows groups of this size, and
  // does not rely on arguments that do not overlap if `arguments_overlap` is set.
  const std::atomic<const KernelVariant*>* replacement = nullptr;
  // The same until that is there, or null.
  const std::atomic<const KernelVariant*>* bridge = nullptr;
  std::byte* program_scope = nullptr;
  NDRange range;
  bool chooses_size = false; // the local size of `range` is the driver's choice
  bool is_profiled = false;  // the program can see how long it takes
  profile::Launch profile;
  // Where the time that the groups take is added; may be null. Kept by `loaded`.
  std::atomic<std::uint64_t>* used_nanoseconds = nullptr;
  bool arguments_overlap = false;       // set if the metadata requires it, or with a replacement
  bool zeroes_local = false;            // local memory is zero when a group starts
  ParentRef<DeviceQueue> default_queue; // of kernels that use device queues
  std::unique_ptr<PipesInUse> pipes;    // null if the kernel has none
  std::unique_ptr<LaunchChecks> checks; // null if the kernel was built without memory checks
};

} // namespace heddle
