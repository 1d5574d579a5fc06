// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SPIR-V module of a program made with clCreateProgramWithIL (OpenCL API 5.8.1), and the values
// given for its specialization constants. The compiler reads the module; here only its form is
// looked at.
#pragma once

#include "runtime/core/lock.h"
#include "runtime/core/result.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace heddle {

class IntermediateLanguage {
 public:
  // CL_INVALID_VALUE if the bytes are not a SPIR-V module of version 1.0 to 1.6 for 64-bit OpenCL.
  static Result<IntermediateLanguage*> read(std::span<const std::byte> bytes);

  std::span<const std::byte> bytes() const { return bytes_; }
  // `size` in bytes, 1 for a boolean. CL_INVALID_SPEC_ID if no constant has the identifier,
  // CL_INVALID_VALUE if its type has another size or `value` is null.
  cl_int set(cl_uint identifier, std::size_t size, const void* value);
  // What was set, as a build takes it.
  using Values = std::vector<std::pair<std::uint32_t, std::vector<std::byte>>>;
  Values values() const;

 private:
  explicit IntermediateLanguage(std::span<const std::byte> bytes);

  const std::vector<std::byte> bytes_;
  std::map<std::uint32_t, std::size_t> sizes_; // of specialization constants, by SpecId
  mutable SleepingMutex mutex_;
  std::map<std::uint32_t, std::vector<std::byte>> values_ HEDDLE_GUARDED_BY(mutex_);
};

} // namespace heddle
