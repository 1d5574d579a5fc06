// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/image_descriptor.h"

#include "icd/memory_flags.h"
#include "runtime/device/limits.h"

#include <cstdint>
#include <utility>

namespace heddle::icd {
namespace {

// It only says what kernels will do, as CL_MEM_READ_WRITE does.
constexpr cl_mem_flags kKernelReadsAndWrites = CL_MEM_KERNEL_READ_AND_WRITE;

bool is_image_type(cl_mem_object_type type) {
  return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

bool is_size(std::size_t size, std::size_t most) { return size != 0 && size <= most; }

// CL_INVALID_IMAGE_SIZE unless all dimensions are within the limits of the device.
cl_int check_dimensions(const ImageShape& shape) {
  const auto width = shape.type == CL_MEM_OBJECT_IMAGE3D          ? limits::kImage3D
                     : shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? limits::kImageBufferTexels
                                                                  : limits::kImage2D;
  const auto height = shape.type == CL_MEM_OBJECT_IMAGE3D ? limits::kImage3D : limits::kImage2D;
  return is_size(shape.width, width) && is_size(shape.height, height) &&
                 is_size(shape.depth, limits::kImage3D) &&
                 is_size(shape.array_size, limits::kImageLayers)
             ? CL_SUCCESS
             : CL_INVALID_IMAGE_SIZE;
}

// Sets the pitches of the shape. CL_INVALID_IMAGE_DESCRIPTOR for pitches that are not valid.
cl_int set_pitches(ImageShape& shape, const cl_image_desc& descriptor, ImageSource source) {
  const bool has_own_layout = source == ImageSource::host || source == ImageSource::file;
  const auto row = descriptor.image_row_pitch;
  const auto slice = shape.has_slices() ? descriptor.image_slice_pitch : 0;
  shape.pack();
  if ((row != 0 || slice != 0) && source == ImageSource::nothing)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (row != 0) {
    if (row < shape.row_pitch || (has_own_layout && row % shape.format->alignment()))
      return CL_INVALID_IMAGE_DESCRIPTOR;
    shape.row_pitch = row;
    if (__builtin_mul_overflow(row, shape.height, &shape.slice_pitch))
      return CL_INVALID_IMAGE_DESCRIPTOR;
  }
  if (slice != 0) {
    if (slice < shape.slice_pitch || (has_own_layout && slice % shape.row_pitch != 0))
      return CL_INVALID_IMAGE_DESCRIPTOR;
    shape.slice_pitch = slice;
  }
  return CL_SUCCESS;
}

// OpenCL API 5.3.1.2, Compatible Image Channel Orders.
bool are_compatible(cl_channel_order view, cl_channel_order parent) {
  static constexpr std::pair<cl_channel_order, cl_channel_order> kPairs[] = {
      {CL_sBGRA, CL_BGRA}, {CL_BGRA, CL_sBGRA}, {CL_sRGBA, CL_RGBA},
      {CL_RGBA, CL_sRGBA}, {CL_sRGB, CL_RGB},   {CL_RGB, CL_sRGB},
      {CL_sRGBx, CL_RGBx}, {CL_RGBx, CL_sRGBx}, {CL_DEPTH, CL_R},
  };
  for (const auto& pair : kPairs)
    if (pair.first == view && pair.second == parent)
      return true;
  return false;
}

} // namespace

cl_int check_image_flags(cl_mem_flags flags, const Memory* parent, bool is_imported) {
  flags &= ~kKernelReadsAndWrites;
  if (!parent)
    return is_imported && (flags & kHostPointer) ? CL_INVALID_VALUE
                                                 : check_flags(flags, is_imported);
  if (parent->is_immutable() && !(flags & kImmutable))
    return CL_INVALID_VALUE;
  return check_child_flags(parent->flags(), flags);
}

cl_int check_format_flags(cl_mem_flags flags) {
  return check_flags(flags & ~kKernelReadsAndWrites, true);
}

Result<ImageShape> make_shape(const cl_image_desc& descriptor, const ImageFormat& format,
                              ImageSource source) {
  if (!is_image_type(descriptor.image_type) || descriptor.num_samples != 0)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  ImageShape shape{descriptor.image_type,    &format, descriptor.image_width, 1, 1, 1, 0, 0,
                   descriptor.num_mip_levels};
  if (shape.has_rows())
    shape.height = descriptor.image_height;
  if (shape.type == CL_MEM_OBJECT_IMAGE3D)
    shape.depth = descriptor.image_depth;
  if (shape.is_array())
    shape.array_size = descriptor.image_array_size;
  // Not for images in buffers and files. Depth images may have levels: the text forbids it (5.3.1),
  // but OpenCL C has functions that read them and the CTS creates them.
  if (shape.has_levels() &&
      (source == ImageSource::buffer || source == ImageSource::file ||
       shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER || format.pack() != 1)) // half of a pack
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (const auto error = check_dimensions(shape))
    return error;
  if (shape.level_count() > shape.most_levels() || shape.width % format.pack() != 0)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (const auto error = set_pitches(shape, descriptor, source))
    return error;
  if (shape.bytes() == 0)
    return CL_INVALID_IMAGE_SIZE;
  return shape;
}

cl_int check_buffer(const ImageShape& shape, const Memory& buffer) {
  const auto alignment = image_alignment(*shape.format);
  if (reinterpret_cast<std::uintptr_t>(buffer.data()) % alignment != 0 ||
      shape.row_pitch % alignment != 0 || shape.slice_pitch % alignment != 0)
    return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  if (shape.has_slices() && shape.slice_pitch % shape.row_pitch != 0)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  return shape.bytes() <= buffer.size() ? CL_SUCCESS : CL_INVALID_IMAGE_SIZE;
}

Result<ImageShape> make_view_shape(const cl_image_desc& descriptor, const ImageFormat& format,
                                   const Image& image) {
  const auto& parent = image.shape();
  if (format.api.image_channel_data_type != parent.format->api.image_channel_data_type ||
      !are_compatible(format.api.image_channel_order, parent.format->api.image_channel_order))
    return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  const auto is_pitch = [](std::size_t given, std::size_t actual) {
    return given == 0 || given == actual;
  };
  if (descriptor.image_width != parent.width || descriptor.image_height != parent.height ||
      !is_pitch(descriptor.image_row_pitch, parent.row_pitch) ||
      descriptor.num_mip_levels != parent.mip_levels || descriptor.num_samples != 0)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  auto shape = parent;
  shape.format = &format;
  return shape;
}

} // namespace heddle::icd
