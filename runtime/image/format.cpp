// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/image/format.h"

#include "runtime/memory/memory.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>

// Older headers lack those of cl_ext_image_unorm_int_2_101010, cl_ext_image_raw10_raw12 and
// cl_ext_image_unsigned_10x6_12x4_14x2.
#ifndef CL_UNORM_INT_2_101010_EXT
#define CL_UNORM_INT_2_101010_EXT 0x10E5
#endif
#ifndef CL_UNSIGNED_INT_RAW10_EXT
#define CL_UNSIGNED_INT_RAW10_EXT 0x10E3
#define CL_UNSIGNED_INT_RAW12_EXT 0x10E4
#endif
#ifndef CL_UNSIGNED_INT10X6_EXT
#define CL_UNORM_INT10X6_EXT 0x10E1
#define CL_UNSIGNED_INT10X6_EXT 0x10E6
#define CL_UNSIGNED_INT12X4_EXT 0x10E7
#define CL_UNSIGNED_INT14X2_EXT 0x10E8
#define CL_UNORM_INT12X4_EXT 0x10E9
#define CL_UNORM_INT14X2_EXT 0x10EA
#endif

namespace heddle {
namespace {

// The last column of the list: whether kernels write.
// NOLINTBEGIN(readability-identifier-naming)
constexpr bool R = false;
constexpr bool RW = true;
// NOLINTEND(readability-identifier-naming)

constexpr ImageFormat kFormats[] = {
#define HEDDLE_IMAGE_FORMAT(order, type, coding, layout, bytes, kind, access)                      \
  {{CL_##order, CL_##type},   HEDDLE_CODING_##coding,                                              \
   HEDDLE_LAYOUT_##layout,    bytes,                                                               \
   ImageFormat::Colors::kind, access},
#include "compiler/interface/image_formats.def"
};

std::size_t bytes_of(heddle_image_coding coding) {
  switch (coding) {
#define HEDDLE_IMAGE_CODING(coding, value, bytes)                                                  \
  case HEDDLE_CODING_##coding:                                                                     \
    return bytes;
#include "compiler/interface/image_formats.def"
  }
  return 1;
}

bool is_one_of(cl_uint value, std::initializer_list<cl_uint> values) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

} // namespace

std::size_t ImageFormat::channel_bytes() const { return bytes_of(coding); }

namespace image_formats {

std::span<const ImageFormat> all() { return kFormats; }

const ImageFormat* find(const cl_image_format& format) {
  const auto* found = std::ranges::find_if(kFormats, [&](const ImageFormat& candidate) {
    return candidate.api.image_channel_order == format.image_channel_order &&
           candidate.api.image_channel_data_type == format.image_channel_data_type;
  });
  return found == std::end(kFormats) ? nullptr : found;
}

bool is_for(const ImageFormat& format, cl_mem_object_type type) {
  return format.api.image_channel_order != CL_DEPTH || type == CL_MEM_OBJECT_IMAGE2D ||
         type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

bool is_for(const ImageFormat& format, cl_mem_flags flags) {
  const bool reads_only =
      (flags & (CL_MEM_READ_ONLY | kImmutable)) &&
      !(flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_KERNEL_READ_AND_WRITE));
  return reads_only || format.is_writable;
}

bool is_valid(const cl_image_format& format) {
  const auto order = format.image_channel_order;
  const auto type = format.image_channel_data_type;
  if (order < CL_R || order > CL_ABGR || type < CL_SNORM_INT8 || type > CL_UNORM_INT14X2_EXT ||
      type == 0x10E2)
    return false;
  switch (type) {
  case CL_UNORM_SHORT_565:
  case CL_UNORM_SHORT_555:
  case CL_UNORM_INT_101010:
    return is_one_of(order, {CL_RGB, CL_RGBx});
  case CL_UNORM_INT_101010_2:
    return order == CL_RGBA;
  case CL_UNORM_INT_2_101010_EXT:
    return order == CL_ABGR;
  case CL_UNORM_INT24:
    return order == CL_DEPTH_STENCIL;
  case CL_UNSIGNED_INT_RAW10_EXT:
  case CL_UNSIGNED_INT_RAW12_EXT:
    return order == CL_R;
  case CL_UNSIGNED_INT10X6_EXT:
  case CL_UNSIGNED_INT12X4_EXT:
  case CL_UNSIGNED_INT14X2_EXT:
  case CL_UNORM_INT10X6_EXT:
  case CL_UNORM_INT12X4_EXT:
  case CL_UNORM_INT14X2_EXT:
    return is_one_of(order, {CL_R, CL_RG, CL_RGBA});
  default:
    break;
  }
  if (order == CL_DEPTH)
    return is_one_of(type, {CL_UNORM_INT16, CL_FLOAT});
  if (order == CL_DEPTH_STENCIL)
    return type == CL_FLOAT;
  if (is_one_of(order, {CL_sRGB, CL_sRGBx, CL_sRGBA, CL_sBGRA}))
    return type == CL_UNORM_INT8;
  if (is_one_of(order, {CL_INTENSITY, CL_LUMINANCE}))
    return is_one_of(type, {CL_UNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT8, CL_SNORM_INT16,
                            CL_HALF_FLOAT, CL_FLOAT});
  return true;
}

} // namespace image_formats
} // namespace heddle
