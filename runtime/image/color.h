// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Colors as image elements (OpenCL SPIR-V Environment 7.4, Conversion Rules).
#pragma once

#include "runtime/image/format.h"

#include <array>
#include <cstddef>

namespace heddle {

constexpr std::size_t kMaxElementBytes = 16;

// The bytes of an image element, or of a pack of elements.
using ImageElement = std::array<std::byte, kMaxElementBytes>;

// The size of a color given to clEnqueueFillImage, in bytes.
std::size_t color_bytes(const ImageFormat& format);
// The element for a color of four float, int or unsigned values, as ImageFormat::colors says, or of
// one float for CL_DEPTH. Normalized values are rounded to nearest even, integers saturate, and a
// channel that is ignored (RGBx) gets the alpha.
ImageElement make_element(const ImageFormat& format, const void* color);

} // namespace heddle
