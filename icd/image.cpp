// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creation and queries of images (OpenCL API 5.3.1, 5.3.2, 5.3.9).
#include "runtime/image/image.h"

#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/image_descriptor.h"
#include "icd/info.h"
#include "icd/memory_flags.h"
#include "icd/memory_properties.h"
#include "runtime/device/features.h"
#include "runtime/device/limits.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::icd;

namespace {

// The arguments of the entry points that create images.
struct Request {
  const cl_mem_properties* properties;
  cl_mem_flags flags;
  const cl_image_format* format;
  const cl_image_desc* descriptor;
  void* host;
};

// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR for values that are not valid. Null for a valid format that
// the device does not have, which is CL_IMAGE_FORMAT_NOT_SUPPORTED after other errors.
Result<const ImageFormat*> find_format(const cl_image_format* format, cl_mem_flags flags) {
  if (!format || !image_formats::is_valid(*format))
    return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  const auto* found = image_formats::find(*format);
  return found && image_formats::is_for(*found, flags) ? found : nullptr;
}

// The buffer or image that the image is made from, or null. CL_INVALID_IMAGE_DESCRIPTOR if that
// type of image cannot be made from it, CL_INVALID_CONTEXT.
Result<Memory*> find_parent(const Context& context, const cl_image_desc& descriptor) {
  if (!descriptor.mem_object) {
    if (descriptor.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
      return CL_INVALID_IMAGE_DESCRIPTOR;
    return nullptr;
  }
  auto* parent = find<Memory>(descriptor.mem_object);
  if (!parent ||
      (parent->type() != CL_MEM_OBJECT_BUFFER &&
       (parent->type() != CL_MEM_OBJECT_IMAGE2D || descriptor.image_type != CL_MEM_OBJECT_IMAGE2D)))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (&parent->context() != &context)
    return CL_INVALID_CONTEXT;
  return parent;
}

Result<ImageShape> shape_of(const Request& request, const ImageFormat& format, const Memory* parent,
                            bool is_imported) {
  if (parent && parent->is_image())
    return make_view_shape(*request.descriptor, format, static_cast<const Image&>(*parent));
  auto shape = make_shape(*request.descriptor, format,
                          parent         ? ImageSource::buffer
                          : is_imported  ? ImageSource::file
                          : request.host ? ImageSource::host
                                         : ImageSource::nothing);
  if (shape && parent)
    if (const auto error = check_buffer(*shape, *parent))
      return error;
  return shape;
}

// An image of an external memory handle.
Result<cl_mem> import_image(Context& context, MemoryProperties&& properties, cl_mem_flags flags,
                            const ImageShape& shape) {
  auto mapping = map_handle(properties, flags, shape.bytes());
  if (!mapping)
    return mapping.error() == CL_INVALID_BUFFER_SIZE ? CL_INVALID_IMAGE_SIZE : mapping.error();
  auto image = Image::make_imported(context, flags, shape, std::move(*mapping), properties.list,
                                    make_source(properties));
  if (!image)
    return image.error();
  auto& source = *(*image)->external_source();
  auto handle = give_to_user<cl_mem>(std::move(*image));
  if (handle)
    take_file(properties, source);
  return handle;
}

Result<cl_mem> make_image(cl_context context, const Request& request) {
  auto* owner = find<Context>(context);
  if (const auto error = check_context(owner))
    return error;
  if (!features::has_images())
    return CL_INVALID_OPERATION;
  auto properties = read_memory_properties(*owner, request.properties, true);
  if (!properties)
    return properties.error();
  const bool is_imported = properties->has_handle();
  Result<Memory*> parent = nullptr;
  if (request.descriptor) {
    parent = find_parent(*owner, *request.descriptor);
    if (parent.error() == CL_INVALID_CONTEXT)
      return CL_INVALID_CONTEXT;
  }
  auto flags = request.flags;
  if (const auto error = check_image_flags(flags, parent ? *parent : nullptr, is_imported))
    return error;
  auto format = find_format(request.format, flags);
  if (!format)
    return format.error();
  if (!request.descriptor)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (!parent)
    return parent.error();
  if (*parent && is_imported)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  // Without the format only a format of the smallest elements serves to find other errors.
  const auto* bytes = image_formats::find({CL_R, CL_UNORM_INT8});
  auto shape = shape_of(request, *format ? **format : *bytes, *parent, is_imported);
  if (!shape)
    return shape.error();
  const bool needs_host = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
  if ((request.host != nullptr) != needs_host || (request.host && shape->has_levels()))
    return CL_INVALID_HOST_PTR;
  if (!*format || !image_formats::is_for(**format, shape->type))
    return CL_IMAGE_FORMAT_NOT_SUPPORTED;
  if (*parent)
    return give_to_user<cl_mem>(Ref<Memory>(Image::make_view(
        **parent, inherit_flags((*parent)->flags(), flags), *shape, std::move(properties->list))));
  if (shape->bytes() > limits::allocation_bytes())
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (flags == 0)
    flags = CL_MEM_READ_WRITE;
  if (is_imported)
    return import_image(*owner, std::move(*properties), flags, *shape);
  auto image = Image::make(*owner, flags, *shape, request.host, std::move(properties->list));
  if (!image)
    return image.error();
  return give_to_user<cl_mem>(std::move(*image));
}

// clCreateImage2D and clCreateImage3D have no descriptor that could be invalid.
cl_mem create_1_0(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                  const cl_image_desc& descriptor, void* host, cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&]() -> Result<cl_mem> {
    auto image = make_image(context, {nullptr, flags, format, &descriptor, host});
    if (image.error() == CL_INVALID_IMAGE_DESCRIPTOR)
      return CL_INVALID_IMAGE_SIZE;
    return image;
  });
}

} // namespace

// CL_INVALID_CONTEXT, CL_INVALID_OPERATION, CL_INVALID_VALUE, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
// CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_SIZE, CL_INVALID_HOST_PTR,
// CL_IMAGE_FORMAT_NOT_SUPPORTED, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY.
cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                 const cl_image_format* image_format,
                                 const cl_image_desc* image_desc, void* host_ptr,
                                 cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    return make_image(context, {nullptr, flags, image_format, image_desc, host_ptr});
  });
}

// As clCreateImage, and CL_INVALID_PROPERTY, CL_INVALID_DEVICE.
cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                               const cl_mem_properties* properties,
                                               cl_mem_flags flags,
                                               const cl_image_format* image_format,
                                               const cl_image_desc* image_desc, void* host_ptr,
                                               cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    return make_image(context, {properties, flags, image_format, image_desc, host_ptr});
  });
}

// Deprecated. As clCreateImage, but CL_INVALID_IMAGE_SIZE for pitches that are not valid.
cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format* image_format, size_t image_width,
                                   size_t image_height, size_t image_row_pitch, void* host_ptr,
                                   cl_int* errcode_ret) {
  cl_image_desc descriptor{};
  descriptor.image_type = CL_MEM_OBJECT_IMAGE2D;
  descriptor.image_width = image_width;
  descriptor.image_height = image_height;
  descriptor.image_row_pitch = image_row_pitch;
  return create_1_0(context, flags, image_format, descriptor, host_ptr, errcode_ret);
}

// Deprecated. As clCreateImage2D; a depth of 1 is CL_INVALID_IMAGE_SIZE.
cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format* image_format, size_t image_width,
                                   size_t image_height, size_t image_depth, size_t image_row_pitch,
                                   size_t image_slice_pitch, void* host_ptr, cl_int* errcode_ret) {
  cl_image_desc descriptor{};
  descriptor.image_type = CL_MEM_OBJECT_IMAGE3D;
  descriptor.image_width = image_width;
  descriptor.image_height = image_height;
  descriptor.image_depth = image_depth > 1 ? image_depth : 0;
  descriptor.image_row_pitch = image_row_pitch;
  descriptor.image_slice_pitch = image_slice_pitch;
  return create_1_0(context, flags, image_format, descriptor, host_ptr, errcode_ret);
}

// CL_INVALID_CONTEXT, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type image_type, cl_uint num_entries,
                                              cl_image_format* image_formats,
                                              cl_uint* num_image_formats) {
  if (!find<Context>(context))
    return CL_INVALID_CONTEXT;
  if (check_format_flags(flags) || image_type < CL_MEM_OBJECT_IMAGE2D ||
      image_type > CL_MEM_OBJECT_IMAGE1D_BUFFER || (num_entries == 0 && image_formats))
    return CL_INVALID_VALUE;
  cl_uint count = 0;
  for (const auto& format : image_formats::all()) {
    if (!features::has_images() || !image_formats::is_for(format, flags) ||
        !image_formats::is_for(format, image_type))
      continue;
    if (image_formats && count < num_entries)
      image_formats[count] = format.api;
    ++count;
  }
  if (num_image_formats)
    *num_image_formats = count;
  return CL_SUCCESS;
}

// CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                                  void* param_value, size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    auto* object = find_image(image);
    if (!object)
      return CL_INVALID_MEM_OBJECT;
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    const auto& shape = object->shape();
    const bool is_3d = shape.type == CL_MEM_OBJECT_IMAGE3D;
    switch (param_name) {
    case CL_IMAGE_FORMAT:
      return out.put<cl_image_format>(object->format().api);
    case CL_IMAGE_ELEMENT_SIZE:
      return out.put<size_t>(object->format().pack() == 1 ? object->format().element_size : 2);
    case CL_IMAGE_ROW_PITCH:
      return out.put<size_t>(shape.row_pitch);
    case CL_IMAGE_SLICE_PITCH:
      return out.put<size_t>(shape.has_slices() ? shape.slice_pitch : 0);
    case CL_IMAGE_WIDTH:
      return out.put<size_t>(shape.width);
    case CL_IMAGE_HEIGHT:
      return out.put<size_t>(shape.has_rows() ? shape.height : 0);
    case CL_IMAGE_DEPTH:
      return out.put<size_t>(is_3d ? shape.depth : 0);
    case CL_IMAGE_ARRAY_SIZE:
      return out.put<size_t>(shape.is_array() ? shape.array_size : 0);
    case CL_IMAGE_BUFFER: {
      auto* parent = object->parent();
      return out.put<cl_mem>(parent && !parent->is_image() ? static_cast<cl_mem>(parent->handle())
                                                           : nullptr);
    }
    case CL_IMAGE_NUM_MIP_LEVELS:
      return out.put<cl_uint>(shape.mip_levels);
    case CL_IMAGE_NUM_SAMPLES:
      return out.put<cl_uint>(0);
    default:
      return CL_INVALID_VALUE;
    }
  });
}
