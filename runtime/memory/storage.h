// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The storage of buffers.
#pragma once

#include <cstddef>

namespace heddle::storage {

// Every buffer is aligned to the largest OpenCL type; large ones to huge pages.
constexpr std::size_t kAlignment = 128;

// Allocates `size` (not 0) bytes, uninitialized; null when memory is exhausted.
std::byte* allocate(std::size_t size) noexcept;
// The same, zero-initialized.
std::byte* allocate_zeroed(std::size_t size) noexcept;
void free(std::byte* data, std::size_t size) noexcept;

} // namespace heddle::storage
