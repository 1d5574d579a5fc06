// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C functions of extensions that Clang does not declare itself. Included ahead of programs
// for a device that has one of these extensions, and by the builtin library, which defines them.
// Also corrects macros of Clang's own header, which comes before it in programs; the library is compiled with
// the header after it.
#pragma once

#define HEDDLE_OVERLOAD __attribute__((overloadable, convergent, nothrow))

#ifdef cl_khr_fp16 // enabled at the program's own request only
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

#ifdef cl_khr_extended_async_copies // OpenCL C 6.15.11.1
HEDDLE_OVERLOAD event_t async_work_group_copy_2D2D(
    __local void* dst, __SIZE_TYPE__ dst_offset, const __global void* src, __SIZE_TYPE__ src_offset,
    __SIZE_TYPE__ num_bytes_per_element, __SIZE_TYPE__ num_elements_per_line,
    __SIZE_TYPE__ num_lines, __SIZE_TYPE__ src_total_line_length,
    __SIZE_TYPE__ dst_total_line_length, event_t event);
HEDDLE_OVERLOAD event_t async_work_group_copy_2D2D(
    __global void* dst, __SIZE_TYPE__ dst_offset, const __local void* src, __SIZE_TYPE__ src_offset,
    __SIZE_TYPE__ num_bytes_per_element, __SIZE_TYPE__ num_elements_per_line,
    __SIZE_TYPE__ num_lines, __SIZE_TYPE__ src_total_line_length,
    __SIZE_TYPE__ dst_total_line_length, event_t event);
HEDDLE_OVERLOAD event_t async_work_group_copy_3D3D(
    __local void* dst, __SIZE_TYPE__ dst_offset, const __global void* src, __SIZE_TYPE__ src_offset,
    __SIZE_TYPE__ num_bytes_per_element, __SIZE_TYPE__ num_elements_per_line,
    __SIZE_TYPE__ num_lines, __SIZE_TYPE__ num_planes, __SIZE_TYPE__ src_total_line_length,
    __SIZE_TYPE__ src_total_plane_area, __SIZE_TYPE__ dst_total_line_length,
    __SIZE_TYPE__ dst_total_plane_area, event_t event);
HEDDLE_OVERLOAD event_t async_work_group_copy_3D3D(
    __global void* dst, __SIZE_TYPE__ dst_offset, const __local void* src, __SIZE_TYPE__ src_offset,
    __SIZE_TYPE__ num_bytes_per_element, __SIZE_TYPE__ num_elements_per_line,
    __SIZE_TYPE__ num_lines, __SIZE_TYPE__ num_planes, __SIZE_TYPE__ src_total_line_length,
    __SIZE_TYPE__ src_total_plane_area, __SIZE_TYPE__ dst_total_line_length,
    __SIZE_TYPE__ dst_total_plane_area, event_t event);
#endif

#ifdef cl_khr_async_work_group_copy_fence // OpenCL C 6.15.11
HEDDLE_OVERLOAD void async_work_group_copy_fence(unsigned flags);
#endif

#ifdef cl_intel_bfloat16_conversions
HEDDLE_OVERLOAD unsigned short intel_convert_bfloat16_as_ushort(float source);
HEDDLE_OVERLOAD float intel_convert_as_bfloat16_float(unsigned short source);
#define HEDDLE_BFLOAT16(N)                                                                         \
  HEDDLE_OVERLOAD unsigned short __attribute__((ext_vector_type(N)))                               \
  intel_convert_bfloat16##N##_as_ushort##N(float __attribute__((ext_vector_type(N))) source);      \
  HEDDLE_OVERLOAD float __attribute__((ext_vector_type(N)))                                        \
  intel_convert_as_bfloat16##N##_float##N(                                                         \
      unsigned short __attribute__((ext_vector_type(N))) source);
HEDDLE_BFLOAT16(2)
HEDDLE_BFLOAT16(3)
HEDDLE_BFLOAT16(4)
HEDDLE_BFLOAT16(8)
HEDDLE_BFLOAT16(16)
#undef HEDDLE_BFLOAT16
#endif

#ifdef cl_khr_work_group_uniform_arithmetic // OpenCL C 6.15.16
#define HEDDLE_COLLECTIVE(how, type)                                                               \
  HEDDLE_OVERLOAD type work_group_reduce_##how(type);                                              \
  HEDDLE_OVERLOAD type work_group_scan_inclusive_##how(type);                                      \
  HEDDLE_OVERLOAD type work_group_scan_exclusive_##how(type);
#define HEDDLE_COLLECTIVES(type)                                                                   \
  HEDDLE_COLLECTIVE(mul, type)                                                                     \
  HEDDLE_COLLECTIVE(and, type) HEDDLE_COLLECTIVE(or, type) HEDDLE_COLLECTIVE(xor, type)
HEDDLE_COLLECTIVES(int)
HEDDLE_COLLECTIVES(unsigned int)
HEDDLE_COLLECTIVES(long)
HEDDLE_COLLECTIVES(unsigned long)
HEDDLE_COLLECTIVE(logical_and, int)
HEDDLE_COLLECTIVE(logical_or, int)
HEDDLE_COLLECTIVE(logical_xor, int)
HEDDLE_COLLECTIVE(mul, float)
#ifdef cl_khr_fp64
HEDDLE_COLLECTIVE(mul, double)
#endif
#ifdef cl_khr_fp16
HEDDLE_COLLECTIVE(mul, half)
#endif
#undef HEDDLE_COLLECTIVES
#undef HEDDLE_COLLECTIVE
#endif

#ifdef __heddle_intel_sub_groups // cl_intel_subgroups; extra_extensions.cpp defines it if needed
#define HEDDLE_VECTORS(F, type)                                                                    \
  typedef type __heddle_##type##2 __attribute__((ext_vector_type(2)));                             \
  typedef type __heddle_##type##3 __attribute__((ext_vector_type(3)));                             \
  typedef type __heddle_##type##4 __attribute__((ext_vector_type(4)));                             \
  typedef type __heddle_##type##8 __attribute__((ext_vector_type(8)));                             \
  typedef type __heddle_##type##16 __attribute__((ext_vector_type(16)));                           \
  F(type)                                                                                          \
  F(__heddle_##type##2) F(__heddle_##type##3) F(__heddle_##type##4) F(__heddle_##type##8)          \
  F(__heddle_##type##16)
#define HEDDLE_SHUFFLES(type)                                                                      \
  HEDDLE_OVERLOAD type intel_sub_group_shuffle(type data, unsigned lane);                          \
  HEDDLE_OVERLOAD type intel_sub_group_shuffle_down(type current, type next, unsigned delta);      \
  HEDDLE_OVERLOAD type intel_sub_group_shuffle_up(type previous, type current, unsigned delta);    \
  HEDDLE_OVERLOAD type intel_sub_group_shuffle_xor(type data, unsigned mask);
#define HEDDLE_COMBINE(how, type)                                                                  \
  HEDDLE_OVERLOAD type intel_sub_group_reduce_##how(type);                                         \
  HEDDLE_OVERLOAD type intel_sub_group_scan_exclusive_##how(type);                                 \
  HEDDLE_OVERLOAD type intel_sub_group_scan_inclusive_##how(type);
#define HEDDLE_IMAGE_BLOCK(readable, writable, vector, suffix)                                     \
  HEDDLE_OVERLOAD vector intel_sub_group_block_read##suffix(readable image2d_t image,              \
                                                            __heddle_coordinates place);           \
  HEDDLE_OVERLOAD void intel_sub_group_block_write##suffix(                                        \
      writable image2d_t image, __heddle_coordinates place, vector data);
#ifdef __opencl_c_read_write_images
#define HEDDLE_READ_WRITE_IMAGE_BLOCK(vector, suffix)                                              \
  HEDDLE_IMAGE_BLOCK(read_write, read_write, vector, suffix)
#else
#define HEDDLE_READ_WRITE_IMAGE_BLOCK(vector, suffix)
#endif
#define HEDDLE_BUFFER_BLOCK(space, type, vector, suffix)                                           \
  HEDDLE_OVERLOAD vector intel_sub_group_block_read##suffix(const space type* place);              \
  HEDDLE_OVERLOAD void intel_sub_group_block_write##suffix(space type* place, vector data);
#define HEDDLE_BLOCK(type, vector, suffix)                                                         \
  HEDDLE_BUFFER_BLOCK(__global, type, vector, suffix)                                              \
  HEDDLE_BUFFER_BLOCK(__local, type, vector, suffix) /* cl_intel_subgroup_local_block_io */        \
  HEDDLE_IMAGE_BLOCK(read_only, write_only, vector, suffix)                                        \
  HEDDLE_READ_WRITE_IMAGE_BLOCK(vector, suffix)
#define HEDDLE_BLOCKS(type, suffix)                                                                \
  HEDDLE_BLOCK(type, type, suffix)                                                                 \
  HEDDLE_BLOCK(type, __heddle_##type##2, suffix##2)                                                \
  HEDDLE_BLOCK(type, __heddle_##type##4, suffix##4)                                                \
  HEDDLE_BLOCK(type, __heddle_##type##8, suffix##8)

typedef unsigned char __heddle_u8;
typedef unsigned short __heddle_u16;
typedef unsigned int __heddle_u32;
typedef unsigned long __heddle_u64;
typedef int __heddle_coordinates __attribute__((ext_vector_type(2)));
HEDDLE_VECTORS(HEDDLE_SHUFFLES, float)
HEDDLE_VECTORS(HEDDLE_SHUFFLES, int)
HEDDLE_VECTORS(HEDDLE_SHUFFLES, __heddle_u32)
HEDDLE_VECTORS(HEDDLE_SHUFFLES, long)
HEDDLE_VECTORS(HEDDLE_SHUFFLES, __heddle_u64)
HEDDLE_BLOCKS(__heddle_u32, )
HEDDLE_BLOCKS(__heddle_u32, _ui)
#ifdef cl_khr_fp64
HEDDLE_SHUFFLES(double)
#endif
#ifdef cl_khr_fp16
HEDDLE_SHUFFLES(half)
#endif
#define HEDDLE_NARROW(type)                                                                        \
  HEDDLE_VECTORS(HEDDLE_SHUFFLES, type)                                                            \
  HEDDLE_OVERLOAD type intel_sub_group_broadcast(type value, unsigned lane);                       \
  HEDDLE_COMBINE(add, type) HEDDLE_COMBINE(min, type) HEDDLE_COMBINE(max, type)
HEDDLE_NARROW(char) // cl_intel_subgroups_char
HEDDLE_NARROW(__heddle_u8)
HEDDLE_BLOCKS(__heddle_u8, _uc)
HEDDLE_BLOCK(__heddle_u8, __heddle___heddle_u816, _uc16)
HEDDLE_NARROW(short) // cl_intel_subgroups_short
HEDDLE_NARROW(__heddle_u16)
HEDDLE_BLOCKS(__heddle_u16, _us)
HEDDLE_BLOCK(__heddle_u16, __heddle___heddle_u1616, _us16)
HEDDLE_BLOCKS(__heddle_u64, _ul) // cl_intel_subgroups_long
#undef HEDDLE_VECTORS
#undef HEDDLE_SHUFFLES
#undef HEDDLE_COMBINE
#undef HEDDLE_BLOCK
#undef HEDDLE_IMAGE_BLOCK
#undef HEDDLE_READ_WRITE_IMAGE_BLOCK
#undef HEDDLE_BLOCKS
#undef HEDDLE_NARROW
#endif

#undef HEDDLE_OVERLOAD
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif

// Clang 22 crashes on its own definition, which casts an integer to clk_event_t.
#ifdef CLK_NULL_EVENT
#undef CLK_NULL_EVENT
#define CLK_NULL_EVENT (__builtin_astype(((void*)(__SIZE_MAX__)), clk_event_t))
#endif
