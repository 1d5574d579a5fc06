// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes (OpenCL API 5.4).
#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "runtime/device/features.h"
#include "runtime/device/limits.h"
#include "runtime/memory/memory.h"

using namespace heddle;
using namespace heddle::icd;

// OpenCL API 5.4.1: CL_INVALID_CONTEXT, CL_INVALID_OPERATION (no device has pipes),
// CL_INVALID_VALUE (flags, properties), CL_INVALID_PIPE_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE,
// CL_OUT_OF_HOST_MEMORY.
cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                                cl_uint pipe_max_packets, const cl_pipe_properties* properties,
                                cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&]() -> Result<cl_mem> {
    auto* owner = find<Context>(context);
    if (const auto error = check_context(owner))
      return error;
    if (!features::has_opencl_c_feature("__opencl_c_pipes"))
      return CL_INVALID_OPERATION;
    if (flags & ~static_cast<cl_mem_flags>(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS))
      return CL_INVALID_VALUE;
    if (properties)
      return CL_INVALID_VALUE;
    if (pipe_packet_size == 0 || pipe_packet_size > limits::kPipePacketBytes ||
        pipe_max_packets == 0)
      return CL_INVALID_PIPE_SIZE;
    if (flags == 0)
      flags = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
    auto pipe = Memory::make_pipe(*owner, flags, pipe_packet_size, pipe_max_packets);
    if (!pipe)
      return pipe.error();
    return give_to_user<cl_mem>(std::move(*pipe));
  });
}

// OpenCL API 5.4.2: CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                                 void* param_value, size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    const auto* memory = find_pipe(pipe);
    if (!memory)
      return CL_INVALID_MEM_OBJECT;
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    switch (param_name) {
    case CL_PIPE_PACKET_SIZE:
      return out.put<cl_uint>(memory->ring().packet_bytes);
    case CL_PIPE_MAX_PACKETS:
      return out.put<cl_uint>(memory->ring().max_packets);
    case CL_PIPE_PROPERTIES: // clCreatePipe takes none
      return out.put_bytes(nullptr, 0);
    default:
      return CL_INVALID_VALUE;
    }
  });
}
