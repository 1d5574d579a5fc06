// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel is passed for an image and for a sampler. Included by C++ and, as OpenCL C, by
// builtins/image_*.cl, which have the functions that access images.
//
// An image argument is 8 bytes, the address of a constant heddle_image. A sampler argument is 8
// bytes, a sampler word; program-scope and literal samplers are the same word as a constant.
#ifndef HEDDLE_IMAGE_ABI_H
#define HEDDLE_IMAGE_ABI_H

#ifdef __OPENCL_C_VERSION__
typedef int heddle_image_i32;
typedef uint heddle_image_u32;
typedef ulong heddle_image_u64;
#define HEDDLE_IMAGE_POINTER(T) __global T*
#define HEDDLE_IMAGE_CONST_POINTER(T) __constant T*
#else
#include <bit>
#include <cstddef>
#include <cstdint>
using heddle_image_i32 = std::int32_t;
using heddle_image_u32 = std::uint32_t;
using heddle_image_u64 = std::uint64_t;
#define HEDDLE_IMAGE_POINTER(T) T*
#define HEDDLE_IMAGE_CONST_POINTER(T) const T*
#endif

// One level of a mipmapped image.
struct heddle_image_level {
  heddle_image_u64 offset; // of the level's first texel from heddle_image::data, in bytes
  heddle_image_i32 width, height, depth; // texels; 1 in unused dimensions
  heddle_image_i32 unused;
  heddle_image_u64 row_pitch, slice_pitch; // as in heddle_image
};

// Sizes are at least 1. A texel's address is data + x * element_size (of formats with packs:
// x / texels of a pack * element_size) + y * row_pitch + (z or layer) * slice_pitch, also of 1D
// arrays, whose layers are slice_pitch apart. Only levels[] if mip_levels > 1 has the sizes of the
// other levels; levels[0] repeats those here.
struct heddle_image {
  HEDDLE_IMAGE_POINTER(unsigned char) data; // first texel, of level 0; aligned to a texel's channel
  heddle_image_i32 width, height, depth;    // texels; 1 in unused dimensions
  heddle_image_i32 array_size;              // layers; 1 if it is no array
  heddle_image_u64 row_pitch, slice_pitch;  // bytes
  heddle_image_u32 channel_order;           // CL_RGBA, ...
  heddle_image_u32 channel_data_type;       // CL_UNORM_INT8, ...
  heddle_image_u32 format;                  // HEDDLE_IMAGE_FORMAT_WORD of image_formats.def
  heddle_image_u32 element_size;            // bytes of a texel, or of a pack of them: 5, 3
  heddle_image_u32 mip_levels;              // at least 1
  heddle_image_u32 num_samples;             // 0
  HEDDLE_IMAGE_CONST_POINTER(struct heddle_image_level) levels; // null if mip_levels is 1
};

enum heddle_image_coding {
#define HEDDLE_IMAGE_CODING(coding, value, bytes) HEDDLE_CODING_##coding = value,
#include "image_formats.def"
};

enum heddle_image_layout {
#define HEDDLE_IMAGE_LAYOUT(layout, value, channels, border) HEDDLE_LAYOUT_##layout = value,
#include "image_formats.def"
};

#define HEDDLE_IMAGE_FORMAT_WORD(coding, layout)                                                   \
  ((unsigned)HEDDLE_CODING_##coding | (unsigned)HEDDLE_LAYOUT_##layout << 8)
#define HEDDLE_IMAGE_CODING_OF(format) ((format)&0xffu)
#define HEDDLE_IMAGE_LAYOUT_OF(format) ((format) >> 8)

// The word of a sampler: what OpenCL C's CLK_* constants are for Clang, and bits that only samplers
// of the host have (cl_khr_mipmap_image). Samplers in a program have no range of levels.
#define HEDDLE_SAMPLER_NORMALIZED 0x1u
#define HEDDLE_SAMPLER_ADDRESS_MASK 0xeu
#define HEDDLE_SAMPLER_ADDRESS_NONE 0x0u
#define HEDDLE_SAMPLER_CLAMP_TO_EDGE 0x2u
#define HEDDLE_SAMPLER_CLAMP 0x4u
#define HEDDLE_SAMPLER_REPEAT 0x6u
#define HEDDLE_SAMPLER_MIRRORED_REPEAT 0x8u
#define HEDDLE_SAMPLER_NEAREST 0x10u
#define HEDDLE_SAMPLER_LINEAR 0x20u
#define HEDDLE_SAMPLER_MIP_LINEAR 0x40u // else the nearest level
#define HEDDLE_SAMPLER_LOD_RANGE 0x80u  // else 0 to the largest float
// With HEDDLE_SAMPLER_LOD_RANGE: the upper 28 bits of the floats are at these positions.
#define HEDDLE_SAMPLER_LOD_MIN_SHIFT 8
#define HEDDLE_SAMPLER_LOD_MAX_SHIFT 36

#ifndef __OPENCL_C_VERSION__

namespace heddle::abi {

using Image = ::heddle_image;
using ImageLevel = ::heddle_image_level;

// `flags` are the HEDDLE_SAMPLER_* bits without HEDDLE_SAMPLER_LOD_RANGE.
constexpr std::uint64_t sampler_word(std::uint32_t flags, float lod_min, float lod_max) {
  return flags | HEDDLE_SAMPLER_LOD_RANGE |
         static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(lod_min) >> 4)
             << HEDDLE_SAMPLER_LOD_MIN_SHIFT |
         static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(lod_max) >> 4)
             << HEDDLE_SAMPLER_LOD_MAX_SHIFT;
}

static_assert(offsetof(Image, data) == 0 && offsetof(Image, width) == 8);
static_assert(offsetof(Image, height) == 12 && offsetof(Image, depth) == 16);
static_assert(offsetof(Image, array_size) == 20 && offsetof(Image, row_pitch) == 24);
static_assert(offsetof(Image, slice_pitch) == 32 && offsetof(Image, channel_order) == 40);
static_assert(offsetof(Image, channel_data_type) == 44 && offsetof(Image, format) == 48);
static_assert(offsetof(Image, element_size) == 52 && offsetof(Image, mip_levels) == 56);
static_assert(offsetof(Image, num_samples) == 60 && offsetof(Image, levels) == 64);
static_assert(sizeof(Image) == 72);
static_assert(offsetof(ImageLevel, width) == 8 && offsetof(ImageLevel, depth) == 16);
static_assert(offsetof(ImageLevel, row_pitch) == 24 && sizeof(ImageLevel) == 40);

} // namespace heddle::abi

#endif
#endif
