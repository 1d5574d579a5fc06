// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image formats (OpenCL API 5.3.1.1).
#pragma once

#include "compiler/interface/image_abi.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle {

// One of the device's formats (compiler/interface/image_formats.def).
struct ImageFormat {
  // The type of the color in clEnqueueFillImage and in kernels.
  enum class Colors : std::uint8_t { f, i, ui };

  cl_image_format api;
  heddle_image_coding coding;
  heddle_image_layout layout;
  std::uint8_t element_size; // bytes of an element (a power of two) or of a pack of them
  Colors colors;
  bool is_writable; // by kernels, also with read_write

  // Elements that share bytes (cl_ext_image_raw10_raw12); regions have whole packs.
  std::size_t pack() const {
    return coding == HEDDLE_CODING_RAW10 ? 4 : coding == HEDDLE_CODING_RAW12 ? 2 : 1;
  }
  // `width` is a multiple of pack().
  std::size_t row_bytes(std::size_t width) const { return width / pack() * element_size; }
  // What addresses and pitches of images in the memory of others are multiples of, in bytes.
  std::size_t alignment() const { return pack() == 1 ? element_size : 1; }
  // Of a channel, or of the element if it is packed: what addresses must be aligned to.
  std::size_t channel_bytes() const;
  // heddle_image::format
  std::uint32_t word() const { return coding | static_cast<std::uint32_t>(layout) << 8; }
};

namespace image_formats {

// The formats of the device.
std::span<const ImageFormat> all();
// The device's format of this order and type, or null. Formats are the same for all image types
// except that depth formats are those of 2D images and 2D arrays.
const ImageFormat* find(const cl_image_format& format);
bool is_for(const ImageFormat& format, cl_mem_object_type type);
// Whether kernels can access images of the format as `flags` say (OpenCL API 5.3.2).
bool is_for(const ImageFormat& format, cl_mem_flags flags);
// Whether the order and the type exist and may be combined; the device need not have the format.
bool is_valid(const cl_image_format& format);

} // namespace image_formats
} // namespace heddle
