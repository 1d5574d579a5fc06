// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recorded ND-range: a copy of the kernel with its arguments, and what replays run of it.
//
// A replay runs the newest version that is not newer than itself. An update, and a better unit of
// the kernel, make a new version; those that no unfinished replay needs are freed.
#pragma once

#include "runtime/command_buffer/khr_api.h"
#include "runtime/core/block_pool.h"
#include "runtime/execution/prepared_kernel.h"
#include "runtime/program/kernel.h"

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <vector>

namespace heddle {

class ReplacedVersions;
struct ReplacedVersion;

class RecordedKernel {
 public:
  // What the program gave: sizes that it did not give are those that the driver chose.
  struct Range {
    NDRange sizes;
    bool has_local = false;
  };
  struct Options {
    cl_bitfield updatable_fields = 0;
    std::vector<khr::Properties> properties; // with the terminating zero; empty if none were given
  };

  // What replays run from `number` on.
  struct Version {
    // Null if the range is empty, or if the kernel is launched anew in each replay.
    const PreparedKernel* kernel = nullptr;
    std::uint64_t number = 0;
    Version* older = nullptr;      // not owned
    Ref<ArgumentBlock> values;     // in place of the kernel's arguments, if not null
    std::unique_ptr<Version> base; // what has the kernel, if it is another version

    virtual ~Version();
    Version() = default;
    Version(const Version&) = delete;
    Version& operator=(const Version&) = delete;

    // One thread makes most of them and another one frees them.
    static void* operator new(std::size_t bytes) {
      if (void* block = block_pool::allocate(bytes))
        return block;
      throw std::bad_alloc();
    }
    static void operator delete(void* block, std::size_t bytes) {
      block_pool::release(block, bytes);
    }
  };
  struct WholeVersion final : Version {
    std::optional<PreparedKernel> prepared;
  };
  // What an update has changed.
  enum class Change : std::uint8_t { none, values, all };

  // CL_OUT_OF_HOST_MEMORY.
  static Result<std::shared_ptr<RecordedKernel>> create(Kernel& kernel, Device& device,
                                                        const Range& range, Options options);
  // With the same arguments. CL_OUT_OF_HOST_MEMORY.
  Result<std::shared_ptr<RecordedKernel>> copy(Device& device, const Range& range) const;
  ~RecordedKernel();
  RecordedKernel(const RecordedKernel&) = delete;
  RecordedKernel& operator=(const RecordedKernel&) = delete;

  // The kernel that the program gave, for queries; the copy that has the arguments.
  Kernel& original() const { return *original_; }
  Kernel& kernel() const { return *kernel_; }
  Device& device() const { return *device_; }
  const Range& range() const { return range_; }
  void set_range(const Range& range) { range_ = range; }
  const Options& options() const { return options_; }
  bool is_complete() const { return kernel_->has_all_arguments(); }
  bool is_empty() const;

  // The errors of Kernel::capture().
  cl_int capture(KernelLaunch& launch) const;
  // Makes a version if arguments or sizes have changed, or if a launch would now run other units.
  // The one that it replaces, if it must be kept for replays that have begun (`is_in_use`), is
  // added to `replaced`. CL_OUT_OF_HOST_MEMORY, and the errors of Kernel::capture().
  cl_int prepare(std::uint64_t number, Change change, bool is_in_use, ReplacedVersions& replaced);
  bool is_prepared() const noexcept { return newest_.load(std::memory_order_relaxed) != nullptr; }
  // Of a prepared kernel: launched anew in each replay, because its launches have a state: of
  // device queues, pipes or memory checks.
  bool is_launched() const noexcept { return is_launched_; }
  bool has_pipes() const noexcept { return has_pipes_; }
  // Of a prepared kernel: a better unit for the newest version is being built, or is there.
  bool is_provisional() const noexcept;
  bool is_superseded() const noexcept;
  // For a thread that runs commands in order, of which this one is `ahead`, 3, 2 and then 1: brings
  // into its cache what the next call, or the run, reads. Many kernels are more than a cache holds.
  void prefetch(unsigned ahead) const noexcept {
    const auto* version = ahead < 3 ? newest_.load(std::memory_order_acquire) : nullptr;
    if (ahead == 3)
      __builtin_prefetch(&newest_);
    else if (ahead == 2 && version) {
      const auto* lines = reinterpret_cast<const std::byte*>(version);
      __builtin_prefetch(lines);
      for (auto at = (sizeof(Version) + sizeof(abi::Launch)) / 64 * 64; at < sizeof(WholeVersion);
           at += 64) // not `swapped`
        __builtin_prefetch(lines + at);
    } else if (version && version->kernel) {
      __builtin_prefetch(version->values ? version->values->bytes() : version->kernel->abi.args);
    }
  }
  // For Versions::of(), which finds the version of a replay.
  const Version& newest() const noexcept { return *newest_.load(std::memory_order_acquire); }

 private:
  RecordedKernel(Kernel& kernel, Ref<Kernel> copy, Device& device, const Range& range,
                 Options options);
  cl_int prepare_values(Version& current, std::uint64_t number, bool is_in_use,
                        ReplacedVersions& replaced);
  void publish(std::unique_ptr<Version> made, ReplacedVersion* replaced);

  const ParentRef<Kernel> original_;
  const Ref<Kernel> kernel_;
  const ParentRef<Device> device_;
  Range range_;
  const Options options_;
  const bool has_pipes_;
  bool is_launched_ = false;
  bool is_expected_ = false;              // its launches' units know that it will run often
  std::atomic<Version*> newest_{nullptr}; // owned; released when it is complete
};

} // namespace heddle
