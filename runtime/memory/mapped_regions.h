// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The regions of memory objects that are mapped for writing, for HEDDLE_CHECK=memory: to map two
// that overlap is an error (OpenCL API 5.4.4), also if they are of a buffer and its sub-buffer, or
// of a buffer and an image that was made from it.
#pragma once

#include "runtime/memory/rect.h"

#include <optional>
#include <string>

namespace heddle {
class Memory;
}

namespace heddle::mapped_regions {

struct Region {
  const Memory* memory;
  const Memory* whole;   // of a sub-buffer; else the same
  const std::byte* data; // of the memory object
  RectLayout layout;     // relative to `data`
  RectRegion bytes;
  std::string what; // for messages
};

// Notes a region that is to be mapped for writing. If it overlaps one that is, it is not noted; the
// result says which ones. Throws std::bad_alloc.
std::optional<std::string> add(Region region);
// Forgets one that is mapped at this address, if there is one.
void remove(const Memory& memory, const void* pointer) noexcept;
// Forgets those of a memory object that is destroyed.
void forget(const Memory& memory) noexcept;

} // namespace heddle::mapped_regions
