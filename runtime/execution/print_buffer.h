// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The printf output of one launch (OpenCL C 6.15.13). It is written to standard output before the
// command's event is complete, in pieces if it is long; nothing is dropped.
#pragma once

#include "runtime/core/mutex.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle {

class PrintBuffer {
 public:
  // For records of calls that end the kernel (printf_record.h): true, and their text in `reason`,
  // which stays empty without memory.
  static bool ends_kernel(const std::byte* record, std::uint64_t size,
                          std::string& reason) noexcept;
  // Prints one record. Returns 0, or -1 if the format is invalid. Thread-safe.
  std::int32_t append(const std::byte* record, std::uint64_t size) noexcept;
  // After the last append(), by a thread that knows that all have returned.
  void flush() noexcept;

 private:
  Mutex mutex_;
  std::atomic<bool> has_text_{false};
  std::string text_ HEDDLE_GUARDED_BY(mutex_);
};

} // namespace heddle
