// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record of a printf call (OpenCL C 6.15.13).
//
// A record is: PrintfHeader, then for each argument a PrintfArgument followed by its value, padded
// to 8 bytes. Scalars are promoted as in C: small integers to int, half and float to double;
// elements of vectors are not promoted.
#pragma once

#include <cstdint>

namespace heddle::abi {

struct PrintfHeader {
  const char* format; // zero-terminated, in the constant address space
  std::uint32_t argument_count;
  std::uint32_t ends_kernel; // 1: the text is why the kernel ends here (compiler/ir/end_kernel.h)
};

enum class PrintfKind : std::uint32_t { integer = 0, floating = 1, pointer = 2 };

struct PrintfArgument {
  PrintfKind kind;             // pointer also for %s, which the format distinguishes
  std::uint32_t element_bytes; // 1, 2, 4 or 8
  std::uint32_t element_count; // 1 for scalars, else 2, 3, 4, 8 or 16
  std::uint32_t reserved;
};

static_assert(sizeof(PrintfHeader) == 16 && sizeof(PrintfArgument) == 16);

} // namespace heddle::abi
