// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, offsets and counts near 2^64 and 2^32 in every call that takes one: an error, never a
// wrap.
#include "tests/hostile/hostile.h"

using namespace heddle::hostile;

static void body() {
  Session session;
  const auto program = build(
      session.context, "kernel void k(global int* x, local int* y, int z) { x[get_global_id(0)] "
                       "= z; y[get_local_id(0)] = 1; }");
  const auto kernel = make_kernel(program, "k");
  const auto buffer = make_buffer(session.context, 4096),
             other = make_buffer(session.context, 4096);
  const cl_command_queue q = session.queue;
  char data[128] = {};
  const size_t top = ~size_t{0};
  for (const size_t big : {top, top - 1, top - 3, top - 7, top - 63, top - 4095, top / 2,
                           top / 2 + 1, top / 4 + 1, size_t{1} << 48}) {
    const auto bad = [&](cl_int status, const char* what) {
      expect(status < 0, std::string(what) + " with " + std::to_string(big) + " gave " +
                             std::to_string(status));
    };
    cl_int status = 0;
    {
      Buffer made(clCreateBuffer(session.context, CL_MEM_READ_WRITE, big, nullptr, &status));
      bad(status, "clCreateBuffer");
    }
    {
      const cl_buffer_region origin{big & ~size_t{4095}, 64}, size{0, big},
          both{big & ~size_t{4095}, big};
      for (const auto& region : {origin, size, both}) {
        if (region.origin == 0 && region.size == 0)
          continue;
        Buffer made(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
        bad(status, "clCreateSubBuffer");
      }
    }
    bad(clEnqueueReadBuffer(q, buffer, CL_TRUE, big, 64, data, 0, nullptr, nullptr), "read offset");
    bad(clEnqueueReadBuffer(q, buffer, CL_TRUE, 64, big, data, 0, nullptr, nullptr), "read size");
    bad(clEnqueueWriteBuffer(q, buffer, CL_TRUE, big, 64, data, 0, nullptr, nullptr),
        "write offset");
    bad(clEnqueueWriteBuffer(q, buffer, CL_TRUE, 64, big, data, 0, nullptr, nullptr), "write size");
    bad(clEnqueueCopyBuffer(q, buffer, other, big, 0, 64, 0, nullptr, nullptr), "copy source");
    bad(clEnqueueCopyBuffer(q, buffer, other, 0, big, 64, 0, nullptr, nullptr), "copy target");
    bad(clEnqueueCopyBuffer(q, buffer, other, 64, 64, big, 0, nullptr, nullptr), "copy size");
    bad(clEnqueueFillBuffer(q, buffer, data, 1, big, 64, 0, nullptr, nullptr), "fill offset");
    bad(clEnqueueFillBuffer(q, buffer, data, 1, 64, big, 0, nullptr, nullptr), "fill size");
    bad(clEnqueueFillBuffer(q, buffer, data, big, 0, 64, 0, nullptr, nullptr), "fill pattern");
    clEnqueueMapBuffer(q, buffer, CL_TRUE, CL_MAP_READ, big, 64, 0, nullptr, nullptr, &status);
    bad(status, "map offset");
    clEnqueueMapBuffer(q, buffer, CL_TRUE, CL_MAP_READ, 64, big, 0, nullptr, nullptr, &status);
    bad(status, "map size");
    for (int place = 0; place != 7; ++place) {
      size_t origin[3] = {0, 0, 0}, region[3] = {8, 2, 2}, row = 8;
      if (place < 3)
        origin[place] = big;
      else if (place < 6)
        region[place - 3] = big;
      else
        row = big;
      const size_t zero[3] = {0, 0, 0};
      bad(clEnqueueReadBufferRect(q, buffer, CL_TRUE, origin, zero, region, row, 0, 0, 0, data, 0,
                                  nullptr, nullptr),
          "read rectangle");
      bad(clEnqueueWriteBufferRect(q, buffer, CL_TRUE, origin, zero, region, row, 0, 0, 0, data, 0,
                                   nullptr, nullptr),
          "write rectangle");
      bad(clEnqueueCopyBufferRect(q, buffer, other, origin, zero, region, row, 0, 0, 0, 0, nullptr,
                                  nullptr),
          "copy rectangle");
    }
    const cl_int number = 1;
    bad(clSetKernelArg(kernel, 2, big, &number), "clSetKernelArg size");
    bad(clSetKernelArg(kernel, 0, big, buffer.address()), "clSetKernelArg size of a buffer");
    set_args(kernel, buffer, Local{64}, cl_int{1});
    const size_t global[3] = {big, 1, 1}, one[3] = {16, 1, 1}, offset[3] = {top - 7, 0, 0};
    bad(clEnqueueNDRangeKernel(q, kernel, 1, nullptr, one, global, 0, nullptr, nullptr),
        "local size");
    bad(clEnqueueNDRangeKernel(q, kernel, 1, offset, one, nullptr, 0, nullptr, nullptr),
        "global offset");
    const size_t cube[3] = {big, big, big};
    bad(clEnqueueNDRangeKernel(q, kernel, 3, nullptr, cube, cube, 0, nullptr, nullptr),
        "local sizes");
    if (clSetKernelArg(kernel, 1, big, nullptr) == CL_SUCCESS)
      bad(clEnqueueNDRangeKernel(q, kernel, 1, nullptr, one, one, 0, nullptr, nullptr),
          "local memory");
    const char* text = "kernel void k() {}";
    (void)text;
    char value[16];
    size_t needed = 0;
    expect_status(clGetDeviceInfo(device(), CL_DEVICE_MAX_COMPUTE_UNITS, big, value, &needed),
                  CL_SUCCESS, "a query with much room");
  }
  for (const cl_uint many : {~0u, ~0u - 1, 1u << 31}) {
    const auto refused = [&](cl_int status, const char* what) {
      expect(status < 0, std::string(what) + " gave " + std::to_string(status));
    };
    refused(clEnqueueMarkerWithWaitList(q, many, nullptr, nullptr), "wait list without events");
    refused(clEnqueueNDRangeKernel(q, kernel, many, nullptr, nullptr, nullptr, 0, nullptr, nullptr),
            "work_dim");
    refused(clSetKernelArg(kernel, many, 4, data), "argument index");
    char text[16];
    refused(clGetKernelArgInfo(kernel, many, CL_KERNEL_ARG_NAME, sizeof text, text, nullptr),
            "argument index");
  }
  expect_works(session, "after sizes near 2^64");
}

int main() { return run_program(body); }
