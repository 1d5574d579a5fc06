// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/print_buffer.h"

#include "compiler/interface/printf_record.h"
#include "runtime/core/lock.h"
#include "runtime/execution/print_format.h"

#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

namespace heddle {
namespace {
constexpr std::size_t kFlushBytes = 1 << 20;
}

bool PrintBuffer::ends_kernel(const std::byte* record, std::uint64_t size,
                              std::string& reason) noexcept try {
  abi::PrintfHeader header;
  std::memcpy(&header, record, sizeof header);
  if (header.ends_kernel == 0)
    return false;
  std::string text;
  (void)format_print(record, size, text);
  reason = std::move(text);
  return true;
} catch (const std::bad_alloc&) {
  return true;
}

std::int32_t PrintBuffer::append(const std::byte* record, std::uint64_t size) noexcept try {
  // Formatted without the lock: an invalid %s pointer faults here, and a fault would leave the lock
  // held.
  std::string line;
  const bool understood = format_print(record, size, line);
  const Lock lock(mutex_);
  text_ += line;
  has_text_.store(true, std::memory_order_relaxed);
  if (text_.size() >= kFlushBytes) {
    std::fwrite(text_.data(), 1, text_.size(), stdout);
    text_.clear();
  }
  return understood ? 0 : -1;
} catch (const std::bad_alloc&) {
  return -1;
}

void PrintBuffer::flush() noexcept {
  if (!has_text_.load(std::memory_order_relaxed))
    return;
  const Lock lock(mutex_);
  has_text_.store(false, std::memory_order_relaxed);
  std::fwrite(text_.data(), 1, text_.size(), stdout);
  std::fflush(stdout);
  text_.clear();
}

} // namespace heddle
