// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block reads and writes of 2D images (cl_intel_subgroups, _char, _short and _long). Component k
// of a lane is the `bytes` bytes from x + lane * bytes of row y + k, whatever the image's format.
// The coordinates are the same in all lanes; lane 0's tells the compiler so.
#include "image.h"
#include "lanes.h"

// Reads begin at any byte.
#define DEFINE_UNALIGNED(type, name) typedef type name __attribute__((aligned(1)));
DEFINE_UNALIGNED(uchar, Data_uchar)
DEFINE_UNALIGNED(ushort, Data_ushort)
DEFINE_UNALIGNED(uint, Data_uint)
DEFINE_UNALIGNED(ulong, Data_ulong)

// Where a block is: the coordinates, and the number of bytes of a row. 64 bits, so that no
// coordinate overflows.
typedef struct {
  Level level;
  long x, y, row_bytes;
  uint element_size;
} Block;

HELPER Block block_at(Image image, int2 byte_coord) {
  const Block block = {base_level(image), __heddle_sub_group_read_int(byte_coord.x, 0),
                       __heddle_sub_group_read_int(byte_coord.y, 0),
                       (long)image->width * image->element_size, image->element_size};
  return block;
}

// Whether all lanes are inside of the rows.
HELPER bool is_inside(Block block, uint bytes) {
  return (block.x >= 0) & (block.x + __heddle_sub_group_max_size() * bytes <= block.row_bytes);
}

HELPER Bytes block_row(Block block, long y) { return block.level.data + y * block.level.row_pitch; }

HELPER Bytes clamped_row(Block block, uint k) {
  long y = block.y + k;
  y = y < block.level.height - 1 ? y : block.level.height - 1;
  return block_row(block, y > 0 ? y : 0);
}

// A byte's position in the row, outside of it that in the texel at the edge. Sizes of texels are
// powers of two.
HELPER long clamped_byte(Block block, long x) {
  const long in_texel = x & (block.element_size - 1);
  const long last = block.row_bytes - block.element_size + in_texel;
  x = x < block.row_bytes ? x : last;
  return x >= 0 ? x : in_texel;
}

#define DEFINE_ACCESS(type)                                                                        \
  HELPER type read_edge_##type(Block block, Bytes row, long x) {                                   \
    type value = 0;                                                                                \
    UNROLL                                                                                         \
    for (uint i = 0; i < sizeof(type); ++i)                                                        \
      value |= (type)((type)row[clamped_byte(block, x + i)] << 8 * i);                             \
    return value;                                                                                  \
  }                                                                                                \
  HELPER void write_edge_##type(Block block, Bytes row, long x, type value) {                      \
    UNROLL                                                                                         \
    for (uint i = 0; i < sizeof(type); ++i)                                                        \
      if ((x + i >= 0) & (x + i < block.row_bytes))                                                \
        row[x + i] = (uchar)(value >> 8 * i);                                                      \
  }
DEFINE_ACCESS(uchar)
DEFINE_ACCESS(ushort)
DEFINE_ACCESS(uint)
DEFINE_ACCESS(ulong)

// COMPONENT(data, k) is component k of a value of type `data_type` with n components.
#define SCALAR(data, k) data
#define VECTOR(data, k) data[k]
#define DEFINE_READ(access, name, type, data_type, n, COMPONENT)                                   \
  OVERLOAD data_type name(access image2d_t image, int2 byte_coord) {                               \
    const Block block = block_at(__heddle_image_descriptor(image), byte_coord);                    \
    const long x = block.x + LANE_ID() * sizeof(type);                                             \
    data_type data;                                                                                \
    if (is_inside(block, sizeof(type))) {                                                          \
      UNROLL                                                                                       \
      for (uint k = 0; k < n; ++k)                                                                 \
        COMPONENT(data, k) = *(__global const Data_##type*)(clamped_row(block, k) + x);            \
    } else {                                                                                       \
      UNROLL                                                                                       \
      for (uint k = 0; k < n; ++k)                                                                 \
        COMPONENT(data, k) = read_edge_##type(block, clamped_row(block, k), x);                    \
    }                                                                                              \
    return data;                                                                                   \
  }
#define DEFINE_WRITE(access, name, type, data_type, n, COMPONENT)                                  \
  OVERLOAD void name(access image2d_t image, int2 byte_coord, data_type data) {                    \
    const Block block = block_at(__heddle_image_descriptor(image), byte_coord);                    \
    const long x = block.x + LANE_ID() * sizeof(type);                                             \
    UNROLL                                                                                         \
    for (uint k = 0; k < n; ++k) {                                                                 \
      const long y = block.y + k;                                                                  \
      if ((y >= 0) & (y < block.level.height)) {                                                   \
        const Bytes row = block_row(block, y);                                                     \
        if (is_inside(block, sizeof(type)))                                                        \
          *(__global Data_##type*)(row + x) = COMPONENT(data, k);                                  \
        else                                                                                       \
          write_edge_##type(block, row, x, COMPONENT(data, k));                                    \
      }                                                                                            \
    }                                                                                              \
  }
#define DEFINE_BLOCK(suffix, type, data_type, n, COMPONENT)                                        \
  DEFINE_READ(read_only, intel_sub_group_block_read##suffix, type, data_type, n, COMPONENT)        \
  DEFINE_READ(read_write, intel_sub_group_block_read##suffix, type, data_type, n, COMPONENT)       \
  DEFINE_WRITE(write_only, intel_sub_group_block_write##suffix, type, data_type, n, COMPONENT)     \
  DEFINE_WRITE(read_write, intel_sub_group_block_write##suffix, type, data_type, n, COMPONENT)
#define DEFINE_BLOCKS(suffix, type)                                                                \
  DEFINE_BLOCK(suffix, type, type, 1, SCALAR)                                                      \
  DEFINE_BLOCK(suffix##2, type, type##2, 2, VECTOR)                                                \
  DEFINE_BLOCK(suffix##4, type, type##4, 4, VECTOR)                                                \
  DEFINE_BLOCK(suffix##8, type, type##8, 8, VECTOR)
DEFINE_BLOCKS(, uint)
DEFINE_BLOCKS(_ui, uint)
DEFINE_BLOCKS(_ul, ulong)
DEFINE_BLOCKS(_us, ushort)
DEFINE_BLOCK(_us16, ushort, ushort16, 16, VECTOR)
DEFINE_BLOCKS(_uc, uchar)
DEFINE_BLOCK(_uc16, uchar, uchar16, 16, VECTOR)
