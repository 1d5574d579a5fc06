// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What keeps the versions of recorded kernels that replays may still run.
#pragma once

#include "runtime/command_buffer/recorded_kernel.h"
#include "runtime/core/object.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace heddle {

// The state of a command buffer between two updates. Kept by the replays that were enqueued
// meanwhile, by the command buffer if it is the last one, and by the one before it: so it is freed
// after all that came before.
class Versions final : public Object {
 public:
  explicit Versions(std::uint64_t number) : Object(Kind::dead), number_(number) {}
  ~Versions() override {
    // Not by recursion.
    while (next_ && next_->is_unique())
      next_ = std::exchange(next_->next_, nullptr);
  }

  std::uint64_t number() const noexcept { return number_; }
  // The update that follows has replaced these.
  void end(Ref<Versions> next,
           std::vector<std::unique_ptr<RecordedKernel::Version>> replaced) noexcept {
    next_ = std::move(next);
    replaced_ = std::move(replaced);
  }

 private:
  const std::uint64_t number_;
  Ref<Versions> next_;
  std::vector<std::unique_ptr<RecordedKernel::Version>> replaced_;
};

} // namespace heddle
