// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands on many bytes, which all threads of the device share.
#pragma once

#include "runtime/execution/command.h"
#include "runtime/execution/executor.h"
#include "runtime/execution/queue.h"
#include "runtime/execution/scheduler.h"
#include "runtime/execution/shared_ranges.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace heddle {

// The size from which waking other threads pays off.
inline constexpr std::size_t kBulkBytes = std::size_t{2} << 20;

// The body, a callable void(begin, end) or cl_int(begin, end), is called for disjoint pieces that
// cover [0, size), from several threads concurrently. The first negative value that it returns
// becomes the event's status, and the pieces that are left are skipped. It is destroyed after the
// last piece and before the event is complete.
template <class Body>
class BulkCommand final : public Command, public SharedWork {
 public:
  BulkCommand(Queue& queue, cl_command_type type, std::size_t size, Body body)
      : Command(queue, type), size_(size), body_(std::move(body)) {}

  bool is_large() const noexcept override { return size_ >= kBulkBytes; }

  std::optional<cl_int> execute(Executor& executor) noexcept override {
    if (size_ < kBulkBytes || executor.units() == 1) {
      call(0, size_);
      body_.reset();
      return error_.load(std::memory_order_relaxed);
    }
    executor_ = &executor;
    priority_ = Event::queue()->hints().priority;
    const auto pieces = (size_ + kPiece - 1) / kPiece;
    ranges_.start(0, size_, kPiece, executor.parts());
    retain(); // released after the last piece
    executor.share(*this,
                   static_cast<unsigned>(std::min<std::size_t>(pieces, executor.units()) - 1));
    return std::nullopt;
  }

  bool has_more() const noexcept override { return ranges_.has_more(); }
  const Queue& queue() const noexcept override { return *Event::queue(); }
  void retain_work() noexcept override { retain(); }
  void release_work() noexcept override { release(); }

  void participate() noexcept override {
    std::size_t done = 0;
    for (std::uint64_t begin, end;;) {
      executor_->run_above(priority_);
      if (!ranges_.take(begin, end, false))
        break;
      call(begin, end);
      done += end - begin;
    }
    if (done == 0 || done_.fetch_add(done, std::memory_order_acq_rel) + done != size_)
      return;
    body_.reset();
    scheduler::finished(*this, error_.load(std::memory_order_relaxed));
    release();
  }

 private:
  // Large enough that the overhead per piece is negligible; a multiple of every fill pattern.
  static constexpr std::size_t kPiece = std::size_t{512} << 10;

  void call(std::size_t begin, std::size_t end) noexcept {
    if (context().is_terminated())
      return;
    if constexpr (std::is_void_v<decltype((*body_)(begin, end))>) {
      (*body_)(begin, end);
    } else {
      if (error_.load(std::memory_order_relaxed) < 0)
        return;
      cl_int none = CL_COMPLETE;
      if (const cl_int error = (*body_)(begin, end); error < 0)
        error_.compare_exchange_strong(none, error, std::memory_order_relaxed);
    }
  }

  const std::size_t size_;
  std::optional<Body> body_;
  Executor* executor_ = nullptr;
  Priority priority_ = Priority::medium; // of the queue
  SharedRanges ranges_;
  std::atomic<std::size_t> done_{0}; // acquire-release: publishes the pieces and error_
  std::atomic<cl_int> error_{CL_COMPLETE};
};

// Null when memory is exhausted.
template <class Body>
Ref<Command> make_bulk_command(Queue& queue, cl_command_type type, std::size_t size, Body body) {
  return Ref<Command>::adopt(new (std::nothrow)
                                 BulkCommand<Body>(queue, type, size, std::move(body)));
}

} // namespace heddle
