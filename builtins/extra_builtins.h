// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C functions of extensions that Clang does not declare itself. Included ahead of programs
// for a device that has one of these extensions, and by the builtin library, which defines them.
// Also corrects macros of Clang's own header, which comes before it in programs; the library is compiled with
// the header after it.
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

#undef HEDDLE_OVERLOAD

// Clang 22 crashes on its own definition, which casts an integer to clk_event_t.
#ifdef CLK_NULL_EVENT
#undef CLK_NULL_EVENT
#define CLK_NULL_EVENT (__builtin_astype(((void*)(__SIZE_MAX__)), clk_event_t))
#endif
