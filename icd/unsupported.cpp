// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points of optional features that the device does not have: images and samplers. Invalid
// handles get their own codes; after that each function returns what OpenCL 3.0 (API, appendix on
// optional features, and the function's errors) specifies for a device without the feature.
#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "runtime/execution/queue.h"
#include "runtime/memory/memory.h"

using namespace heddle;
using namespace heddle::icd;

namespace {

// No device of the context has the feature, so no object can be created.
template <class Handle>
Handle create(cl_context context, cl_int* errcode_ret) {
  if (errcode_ret)
    *errcode_ret = find<Context>(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT;
  return nullptr;
}

// For commands on images: no memory object is an image.
cl_int enqueue_image(cl_command_queue command_queue) {
  return find<Queue>(command_queue) ? CL_INVALID_MEM_OBJECT : CL_INVALID_COMMAND_QUEUE;
}

} // namespace

// Images (OpenCL API 5.3): CL_INVALID_CONTEXT, else CL_INVALID_OPERATION.

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags, const cl_image_format*,
                                 const cl_image_desc*, void*, cl_int* errcode_ret) {
  return create<cl_mem>(context, errcode_ret);
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties*,
                                               cl_mem_flags, const cl_image_format*,
                                               const cl_image_desc*, void*, cl_int* errcode_ret) {
  return create<cl_mem>(context, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags, const cl_image_format*, size_t,
                                   size_t, size_t, void*, cl_int* errcode_ret) {
  return create<cl_mem>(context, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags, const cl_image_format*, size_t,
                                   size_t, size_t, size_t, size_t, void*, cl_int* errcode_ret) {
  return create<cl_mem>(context, errcode_ret);
}

// Returns an empty list. CL_INVALID_CONTEXT, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags,
                                              cl_mem_object_type image_type, cl_uint num_entries,
                                              cl_image_format* image_formats,
                                              cl_uint* num_image_formats) {
  if (!find<Context>(context))
    return CL_INVALID_CONTEXT;
  if (image_type < CL_MEM_OBJECT_IMAGE2D || image_type > CL_MEM_OBJECT_IMAGE1D_BUFFER ||
      (num_entries == 0 && image_formats))
    return CL_INVALID_VALUE;
  if (num_image_formats)
    *num_image_formats = 0;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetImageInfo(cl_mem, cl_image_info, size_t, void*, size_t*) {
  return CL_INVALID_MEM_OBJECT;
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem, cl_bool,
                                      const size_t*, const size_t*, size_t, size_t, void*, cl_uint,
                                      const cl_event*, cl_event*) {
  return enqueue_image(command_queue);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem, cl_bool,
                                       const size_t*, const size_t*, size_t, size_t, const void*,
                                       cl_uint, const cl_event*, cl_event*) {
  return enqueue_image(command_queue);
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem, const void*,
                                      const size_t*, const size_t*, cl_uint, const cl_event*,
                                      cl_event*) {
  return enqueue_image(command_queue);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem, cl_mem, const size_t*,
                                      const size_t*, const size_t*, cl_uint, const cl_event*,
                                      cl_event*) {
  return enqueue_image(command_queue);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem, cl_mem,
                                              const size_t*, const size_t*, size_t, cl_uint,
                                              const cl_event*, cl_event*) {
  return enqueue_image(command_queue);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem, cl_mem,
                                              size_t, const size_t*, const size_t*, cl_uint,
                                              const cl_event*, cl_event*) {
  return enqueue_image(command_queue);
}

void* CL_API_CALL clEnqueueMapImage(cl_command_queue command_queue, cl_mem, cl_bool, cl_map_flags,
                                    const size_t*, const size_t*, size_t*, size_t*, cl_uint,
                                    const cl_event*, cl_event*, cl_int* errcode_ret) {
  if (errcode_ret)
    *errcode_ret = enqueue_image(command_queue);
  return nullptr;
}

// Samplers (OpenCL API 5.7): CL_INVALID_CONTEXT, else CL_INVALID_OPERATION; none exists.

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                     const cl_sampler_properties*,
                                                     cl_int* errcode_ret) {
  return create<cl_sampler>(context, errcode_ret);
}

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool, cl_addressing_mode,
                                       cl_filter_mode, cl_int* errcode_ret) {
  return create<cl_sampler>(context, errcode_ret);
}

cl_int CL_API_CALL clRetainSampler(cl_sampler) { return CL_INVALID_SAMPLER; }
cl_int CL_API_CALL clReleaseSampler(cl_sampler) { return CL_INVALID_SAMPLER; }
cl_int CL_API_CALL clGetSamplerInfo(cl_sampler, cl_sampler_info, size_t, void*, size_t*) {
  return CL_INVALID_SAMPLER;
}
