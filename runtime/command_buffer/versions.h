// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What keeps the versions of recorded kernels that replays may still run, and finds them.
#pragma once

#include "runtime/command_buffer/recorded_kernel.h"
#include "runtime/core/object.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle {

// The version of a kernel that an update has replaced. Null if the update has failed.
struct ReplacedVersion {
  const RecordedKernel* kernel = nullptr;
  const RecordedKernel::Version* version = nullptr;
  std::unique_ptr<RecordedKernel::Version> owned; // the same, or null if another version has it
};

// The versions that one update has replaced, one of each kernel at most. Most updates change one
// kernel, for which nothing is allocated.
class ReplacedVersions {
 public:
  bool empty() const noexcept { return !first_.kernel; }
  // Valid until the next add(). Throws std::bad_alloc.
  ReplacedVersion& add(const RecordedKernel& kernel);
  // After the last add(), before find().
  void sort() noexcept;
  // Null if the update has not replaced one of this kernel.
  const RecordedKernel::Version* find(const RecordedKernel& kernel) const noexcept {
    if (first_.kernel == &kernel)
      return first_.version;
    return others_.empty() ? nullptr : find_other(kernel);
  }

 private:
  const RecordedKernel::Version* find_other(const RecordedKernel& kernel) const noexcept;

  ReplacedVersion first_;
  std::vector<ReplacedVersion> others_; // by address
};

// The state of a command buffer between two updates. Kept by the replays that were enqueued
// meanwhile, by the command buffer if it is the last one, and by the one before it: so it is freed
// after all that came before.
class Versions final : public Object {
 public:
  explicit Versions(std::uint64_t number) : Object(Kind::dead), number_(number) {}
  ~Versions() override;

  static void* operator new(std::size_t bytes) {
    return RecordedKernel::Version::operator new(bytes);
  }
  static void operator delete(void* block, std::size_t bytes) { block_pool::release(block, bytes); }

  std::uint64_t number() const noexcept { return number_; }
  // The update that follows has replaced these.
  void end(Ref<Versions> next, ReplacedVersions replaced) noexcept {
    replaced_ = std::move(replaced);
    replaced_.sort();
    next_.store(next.leak(), std::memory_order_release);
  }
  // What replays of this state run of a kernel, also while updates follow. First the most likely
  // place, since the newest version may be in another processor's cache.
  const RecordedKernel::Version& of(const RecordedKernel& kernel) const noexcept {
    if (next_.load(std::memory_order_acquire))
      if (const auto* replaced = replaced_.find(kernel))
        return *replaced;
    const auto& newest = kernel.newest();
    return newest.number <= number_ ? newest : find_replaced(kernel, newest);
  }

 private:
  const RecordedKernel::Version&
  find_replaced(const RecordedKernel& kernel, const RecordedKernel::Version& newest) const noexcept;

  const std::uint64_t number_;
  std::atomic<Versions*> next_{nullptr}; // kept
  ReplacedVersions replaced_;            // valid if there is a next one
};

} // namespace heddle
