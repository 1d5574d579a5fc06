// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_ext_image_requirements_info and the queries of cl_ext_image_from_buffer (OpenCL API 5.3.15).
#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/image_descriptor.h"
#include "icd/info.h"
#include "icd/memory_properties.h"
#include "runtime/device/features.h"
#include "runtime/device/limits.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::icd;

namespace {

bool asks_for_limit(cl_image_requirements_info_ext name) {
  return name == CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT ||
         name == CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT ||
         name == CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT ||
         name == CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT;
}

// The largest size in the dimension that is asked for; 0 if the type does not have it. Without a
// type, a size that all types with that dimension have.
std::size_t limit(cl_image_requirements_info_ext name, cl_mem_object_type type) {
  const bool is_3d = type == CL_MEM_OBJECT_IMAGE3D || type == 0;
  switch (name) {
  case CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT:
    return type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? limits::kImageBufferTexels
           : is_3d                              ? limits::kImage3D
                                                : limits::kImage2D;
  case CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT:
    if (type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
      return limits::kImage2D;
    return is_3d ? limits::kImage3D : 0;
  case CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT:
    return is_3d ? limits::kImage3D : 0;
  default:
    return type == 0 || type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY
               ? limits::kImageLayers
               : 0;
  }
}

// CL_INVALID_IMAGE_DESCRIPTOR. A query of a limit ignores that dimension, and the others may be 0.
cl_int check_limit_query(cl_image_requirements_info_ext name, cl_image_desc descriptor) {
  if (limit(name, descriptor.image_type) == 0)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (descriptor.image_type == 0)
    return CL_SUCCESS;
  for (auto* size : {&descriptor.image_width, &descriptor.image_height, &descriptor.image_depth,
                     &descriptor.image_array_size})
    *size = std::max<std::size_t>(*size, 1);
  (name == CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT    ? descriptor.image_width
   : name == CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT ? descriptor.image_height
   : name == CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT  ? descriptor.image_depth
                                                  : descriptor.image_array_size) = 1;
  descriptor.image_row_pitch = descriptor.image_slice_pitch = 0;
  const auto& any = image_formats::all().front();
  return make_shape(descriptor, any, ImageSource::nothing) ? CL_SUCCESS
                                                           : CL_INVALID_IMAGE_DESCRIPTOR;
}

// The alignment that suffices for the format, or for every format.
std::size_t alignment(const ImageFormat* format) {
  std::size_t most = 1;
  for (const auto& each : image_formats::all())
    if (!format || &each == format)
      most = std::max(most, image_alignment(each));
  return most;
}

} // namespace

// CL_INVALID_CONTEXT, CL_INVALID_OPERATION (no images), CL_INVALID_PROPERTY, CL_INVALID_DEVICE,
// CL_INVALID_VALUE,
// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR.
cl_int CL_API_CALL clGetImageRequirementsInfoEXT(
    cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
    const cl_image_format* image_format, const cl_image_desc* image_desc,
    cl_image_requirements_info_ext param_name, size_t param_value_size, void* param_value,
    size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    const auto* owner = find<Context>(context);
    if (!owner)
      return CL_INVALID_CONTEXT;
    if (!features::has_images())
      return CL_INVALID_OPERATION;
    if (const auto read = read_memory_properties(*owner, properties, true); !read)
      return read.error();
    if (const auto error = check_format_flags(flags))
      return error;
    const auto* format = image_format ? image_formats::find(*image_format) : nullptr;
    if (image_format && !format)
      return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    const auto& some_format = format ? *format : image_formats::all().front();
    std::size_t bytes = 0;
    if (image_desc && asks_for_limit(param_name)) {
      if (const auto error = check_limit_query(param_name, *image_desc))
        return error;
    } else if (image_desc) {
      const bool has_levels = image_desc->num_mip_levels > 1;
      auto shape = make_shape(*image_desc, some_format,
                              has_levels ? ImageSource::nothing : ImageSource::buffer);
      if (!shape || !image_formats::is_for(some_format, shape->type))
        return CL_INVALID_IMAGE_DESCRIPTOR;
      bytes = shape->bytes();
    }
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    switch (param_name) {
    case CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT:
    case CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT:
    case CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT:
      return out.put<size_t>(alignment(format));
    case CL_IMAGE_REQUIREMENTS_SIZE_EXT:
      return format && image_desc ? out.put<size_t>(bytes) : CL_INVALID_VALUE;
    case CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT:
    case CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT:
    case CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT:
    case CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT:
      return out.put<cl_uint>(
          static_cast<cl_uint>(limit(param_name, image_desc ? image_desc->image_type : 0)));
    default:
      return CL_INVALID_VALUE;
    }
  });
}
