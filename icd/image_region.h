// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The regions that commands on images take (OpenCL API 5.3.3 to 5.3.7).
#pragma once

#include "runtime/core/result.h"
#include "runtime/image/image.h"
#include "runtime/memory/rect.h"

#include <array>
#include <cstddef>

namespace heddle::icd {

struct ImageRegion {
  ImageLevel level;
  std::array<std::size_t, 3> origin, region; // elements, rows, slices of the level
  RectLayout layout;                         // relative to the image's data
  RectRegion bytes;

  // CL_INVALID_VALUE; of a mipmapped image, whose level is one of the values of the origin,
  // CL_INVALID_MIP_LEVEL.
  static Result<ImageRegion> make(const Image& image, const std::size_t* origin,
                                  const std::size_t* region);
  // The layout of the region in memory of the host with these pitches, of which 0 is the least one.
  // CL_INVALID_VALUE.
  Result<RectLayout> host_layout(const Image& image, std::size_t row_pitch,
                                 std::size_t slice_pitch) const;
  // The same in a buffer, from the offset on. CL_INVALID_VALUE if it exceeds the buffer.
  Result<RectLayout> buffer_layout(std::size_t offset, std::size_t buffer_size) const;
};

// For Transfer::find_objects.
inline Memory* find_image_memory(const void* handle) noexcept { return find_image(handle); }

} // namespace heddle::icd
