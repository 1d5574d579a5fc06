// What the printf calls of one launch have written (OpenCL C 6.15.13). Reaches standard output
// before the command's event is complete; a launch that prints much is written in pieces, and
// nothing is dropped.
#pragma once

#include "runtime/core/mutex.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle {

class PrintBuffer {
 public:
  // One record as printf_record.h describes; 0, or -1 if the format cannot be carried out.
  // Thread-safe.
  std::int32_t append(const std::byte* record, std::uint64_t size) noexcept;
  void flush() noexcept;

 private:
  Mutex mutex_;
  std::string text_;
};

} // namespace heddle
