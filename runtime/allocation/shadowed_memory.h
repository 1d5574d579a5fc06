// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=buffers: memory with a shadow, which has a one for each bit that nothing has written
// since it was allocated. Kernels that are built with the check keep it at abi::kBufferShadow;
// commands of the host tell here what they write.
#pragma once

#include <cstddef>

namespace heddle::shadowed_memory {

// Whether the check is on, and the area of addresses is free in this process. The first call that
// finds it taken says so on standard error.
bool is_available() noexcept;

// `size` (not 0) zero bytes of which none counts as written. Null: is_available() is false, or the
// area or memory is exhausted.
std::byte* allocate(std::size_t size) noexcept;
// False: the memory is not from allocate().
bool free(std::byte* data, std::size_t size) noexcept;

// These do nothing where `to` has no shadow. Concurrent calls for disjoint ranges are right.
void mark_written(std::byte* to, std::size_t size) noexcept;
// As much is written as of the source.
void mark_copied(std::byte* to, const std::byte* from, std::size_t size) noexcept;

} // namespace heddle::shadowed_memory
