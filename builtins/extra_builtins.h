// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C functions of extensions that Clang does not declare itself. Included ahead of programs
// for a device that has one of these extensions, and by the builtin library, which defines them.
// It comes before or after Clang's own header: nothing of that is used.
#pragma once

#define HEDDLE_OVERLOAD __attribute__((overloadable, convergent, nothrow))

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

#undef HEDDLE_OVERLOAD
