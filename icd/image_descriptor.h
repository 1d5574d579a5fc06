// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Validation of cl_image_format and cl_image_desc (OpenCL API 5.3.1.1, 5.3.1.2).
#pragma once

#include "runtime/core/result.h"
#include "runtime/image/image.h"

#include <CL/cl.h>

#include <cstddef>
#include <vector>

namespace heddle::icd {

// CL_INVALID_VALUE for flags that are not those of an image made from `parent`, which may be null,
// or, with `is_imported`, from an external memory handle.
cl_int check_image_flags(cl_mem_flags flags, const Memory* parent, bool is_imported = false);

// The same for an image of which it is not known what it is made from.
cl_int check_format_flags(cl_mem_flags flags);

// What an image is made from.
enum class ImageSource {
  nothing, // or it is not known: all pitches are 0
  host,    // the user's memory
  file,    // an external memory handle
  buffer,  // any buffer, for queries
};

// The shape of an image that the device can make, with the pitches given or the least ones.
// CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_SIZE. `mem_object` of the descriptor is ignored.
Result<ImageShape> make_shape(const cl_image_desc& descriptor, const ImageFormat& format,
                              ImageSource source);

// Whether an image of this shape can be made from the buffer: CL_INVALID_IMAGE_DESCRIPTOR,
// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR (alignment), CL_INVALID_IMAGE_SIZE (size of the buffer).
cl_int check_buffer(const ImageShape& shape, const Memory& buffer);

// The shape of a view of the image with another format. CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
// CL_INVALID_IMAGE_DESCRIPTOR.
Result<ImageShape> make_view_shape(const cl_image_desc& descriptor, const ImageFormat& format,
                                   const Image& image);

// The alignment in bytes of the addresses and of the pitches of images made from buffers.
inline std::size_t image_alignment(const ImageFormat& format) { return format.alignment(); }

} // namespace heddle::icd
