// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/shared_step.h"

#include "runtime/command_buffer/replay_state.h"

#include <algorithm>

namespace heddle {
namespace {

// Of a transfer; a multiple of every fill pattern.
constexpr std::size_t kPieceBytes = std::size_t{512} << 10;

} // namespace

bool SharedStep::acquire() noexcept {
  if (is_taken_.load(std::memory_order_relaxed) || inside_.load(std::memory_order_acquire) != 0 ||
      is_taken_.exchange(true, std::memory_order_acquire))
    return false;
  if (inside_.load(std::memory_order_acquire) != 0) { // of another thread, meanwhile
    release();
    return false;
  }
  kernel_.reset();
  is_transfer_ = false;
  return true;
}

bool SharedStep::begin(const RecordedKernel::Version& version, Executor& executor,
                       bool others_are_busy) noexcept {
  kernel_.replace_arguments(version.values ? version.values->bytes() : nullptr);
  return kernel_.begin(*version.kernel, executor, others_are_busy);
}

void SharedStep::begin(RecordedTransfer& transfer, Executor& executor) noexcept {
  is_transfer_ = true;
  transfer_ = &transfer;
  bytes_ = transfer.bytes();
  done_.store(0, std::memory_order_relaxed);
  error_.store(CL_COMPLETE, std::memory_order_relaxed);
  pieces_.start(0, bytes_, kPieceBytes, executor.parts());
}

cl_int SharedStep::result() noexcept {
  return is_transfer_ ? error_.load(std::memory_order_relaxed) : kernel_.result();
}

bool SharedStep::share(const Place& place, Executor& executor, bool wakes) noexcept {
  place_ = place;
  inside_.store(1, std::memory_order_relaxed); // this thread, until the step is not listed any more
  const auto threads = is_transfer_
                           ? static_cast<unsigned>(std::min<std::size_t>(
                                 (bytes_ + kPieceBytes - 1) / kPieceBytes, executor.units()))
                           : kernel_.threads();
  executor.offer(*this, wakes ? threads - 1 : 0);
  const bool has_ended = take_part();
  executor.withdraw(*this);
  inside_.fetch_sub(1, std::memory_order_release);
  return has_ended;
}

bool SharedStep::take_part() noexcept {
  if (!is_transfer_)
    return kernel_.take_part();
  std::size_t done = 0;
  for (std::uint64_t begin, end; pieces_.take(begin, end, false);) {
    cl_int none = CL_COMPLETE;
    if (error_.load(std::memory_order_relaxed) >= 0)
      if (const cl_int error = transfer_->run(begin, end); error < 0)
        error_.compare_exchange_strong(none, error, std::memory_order_relaxed);
    done += end - begin;
  }
  return done != 0 && done_.fetch_add(done, std::memory_order_acq_rel) + done == bytes_;
}

bool SharedStep::has_more() const noexcept {
  return is_transfer_ ? pieces_.has_more() : kernel_.has_more();
}

void SharedStep::participate() noexcept {
  if (!take_part()) {
    inside_.fetch_sub(1, std::memory_order_release);
    return;
  }
  const auto status = result();
  const auto place = place_;
  inside_.fetch_sub(1, std::memory_order_release);
  release();
  state_.resume(place.chain, place.at + 1, status);
}

void SharedStep::retain_work() noexcept {
  state_.retain();
  inside_.fetch_add(1, std::memory_order_relaxed);
}

void SharedStep::release_work() noexcept { state_.release(); }

} // namespace heddle
