// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of optional features: images, samplers, pipes, shared virtual memory, intermediate
// languages, sub-groups. A driver without the feature must also return the error code for an
// invalid handle (OpenCL API, appendix H on what is optional).
#include "tests/api/handle_calls.h"

namespace heddle::test {
namespace {

const size_t kOrigin[3] = {0, 0, 0};
const size_t kRegion[3] = {4, 1, 1};
const cl_image_format kFormat = {CL_RGBA, CL_UNORM_INT8};
char scratch[256];

void CL_CALLBACK ignore_context(cl_context, void*) {}
void CL_CALLBACK ignore_program(cl_program, void*) {}

cl_image_desc image_of_4() {
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE1D;
  shape.image_width = 4;
  return shape;
}

std::vector<HandleCall> context_calls() {
  const auto code = CL_INVALID_CONTEXT;
  const auto c = [](void* h) { return static_cast<cl_context>(h); };
  return {
      {"clSetContextDestructorCallback", code,
       [=](void* h) { return clSetContextDestructorCallback(c(h), ignore_context, nullptr); }},
      {"clCreateImage", code,
       [=](void* h) {
         const auto shape = image_of_4();
         return created([&](cl_int* s) {
           return clCreateImage(c(h), CL_MEM_READ_WRITE, &kFormat, &shape, nullptr, s);
         });
       }},
      {"clCreateImageWithProperties", code,
       [=](void* h) {
         const auto shape = image_of_4();
         return created([&](cl_int* s) {
           return clCreateImageWithProperties(c(h), nullptr, CL_MEM_READ_WRITE, &kFormat, &shape,
                                              nullptr, s);
         });
       }},
      {"clCreateImage2D", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           return clCreateImage2D(c(h), CL_MEM_READ_WRITE, &kFormat, 4, 4, 0, nullptr, s);
         });
       }},
      {"clCreateImage3D", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           return clCreateImage3D(c(h), CL_MEM_READ_WRITE, &kFormat, 4, 4, 4, 0, 0, nullptr, s);
         });
       }},
      {"clCreateSampler", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           return clCreateSampler(c(h), CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, s);
         });
       }},
      {"clCreateSamplerWithProperties", code,
       [=](void* h) {
         return created([&](cl_int* s) { return clCreateSamplerWithProperties(c(h), nullptr, s); });
       }},
      {"clCreatePipe", code,
       [=](void* h) {
         return created([&](cl_int* s) { return clCreatePipe(c(h), 0, 4, 4, nullptr, s); });
       }},
      {"clCreateProgramWithIL", code,
       [=](void* h) {
         return created(
             [&](cl_int* s) { return clCreateProgramWithIL(c(h), scratch, sizeof scratch, s); });
       }},
      {"clSVMAlloc", code,
       [=](void* h) { // its only error is a null pointer
         return clSVMAlloc(c(h), CL_MEM_READ_WRITE, 64, 0) ? CL_SUCCESS : CL_INVALID_CONTEXT;
       }},
      {"clSetDefaultDeviceCommandQueue", code,
       [=](void* h) { return clSetDefaultDeviceCommandQueue(c(h), device(), nullptr); }},
  };
}

std::vector<HandleCall> queue_calls(const World& w) {
  const auto code = CL_INVALID_COMMAND_QUEUE;
  const auto q = [](void* h) { return static_cast<cl_command_queue>(h); };
  const cl_mem buffer = w.buffer;
  return {
      {"clEnqueueWaitForEvents", code,
       [=, event = w.done.get()](void* h) { return clEnqueueWaitForEvents(q(h), 1, &event); }},
      {"clEnqueueReadImage", code,
       [=](void* h) {
         return clEnqueueReadImage(q(h), buffer, CL_TRUE, kOrigin, kRegion, 0, 0, scratch, 0,
                                   nullptr, nullptr);
       }},
      {"clEnqueueWriteImage", code,
       [=](void* h) {
         return clEnqueueWriteImage(q(h), buffer, CL_TRUE, kOrigin, kRegion, 0, 0, scratch, 0,
                                    nullptr, nullptr);
       }},
      {"clEnqueueFillImage", code,
       [=](void* h) {
         return clEnqueueFillImage(q(h), buffer, scratch, kOrigin, kRegion, 0, nullptr, nullptr);
       }},
      {"clEnqueueCopyImage", code,
       [=](void* h) {
         return clEnqueueCopyImage(q(h), buffer, buffer, kOrigin, kOrigin, kRegion, 0, nullptr,
                                   nullptr);
       }},
      {"clEnqueueCopyImageToBuffer", code,
       [=](void* h) {
         return clEnqueueCopyImageToBuffer(q(h), buffer, buffer, kOrigin, kRegion, 0, 0, nullptr,
                                           nullptr);
       }},
      {"clEnqueueCopyBufferToImage", code,
       [=](void* h) {
         return clEnqueueCopyBufferToImage(q(h), buffer, buffer, 0, kOrigin, kRegion, 0, nullptr,
                                           nullptr);
       }},
      {"clEnqueueMapImage", code,
       [=](void* h) {
         cl_int status = CL_SUCCESS;
         size_t pitch = 0;
         clEnqueueMapImage(q(h), buffer, CL_TRUE, CL_MAP_READ, kOrigin, kRegion, &pitch, nullptr, 0,
                           nullptr, nullptr, &status);
         return status;
       }},
      {"clEnqueueSVMFree", code,
       [=](void* h) {
         void* pointers[] = {scratch};
         return clEnqueueSVMFree(q(h), 1, pointers, nullptr, nullptr, 0, nullptr, nullptr);
       }},
      {"clEnqueueSVMMemcpy", code,
       [=](void* h) {
         return clEnqueueSVMMemcpy(q(h), CL_TRUE, scratch, scratch + 64, 4, 0, nullptr, nullptr);
       }},
      {"clEnqueueSVMMemFill", code,
       [=](void* h) { return clEnqueueSVMMemFill(q(h), scratch, "x", 1, 4, 0, nullptr, nullptr); }},
      {"clEnqueueSVMMap", code,
       [=](void* h) {
         return clEnqueueSVMMap(q(h), CL_TRUE, CL_MAP_READ, scratch, 4, 0, nullptr, nullptr);
       }},
      {"clEnqueueSVMUnmap", code,
       [=](void* h) { return clEnqueueSVMUnmap(q(h), scratch, 0, nullptr, nullptr); }},
      {"clEnqueueSVMMigrateMem", code,
       [=](void* h) {
         const void* pointers[] = {scratch};
         return clEnqueueSVMMigrateMem(q(h), 1, pointers, nullptr, 0, 0, nullptr, nullptr);
       }},
  };
}

std::vector<HandleCall> memory_calls() {
  const auto code = CL_INVALID_MEM_OBJECT;
  const auto m = [](void* h) { return static_cast<cl_mem>(h); };
  return {
      {"clGetImageInfo", code,
       [=](void* h) {
         return clGetImageInfo(m(h), CL_IMAGE_WIDTH, sizeof scratch, scratch, nullptr);
       }},
      {"clGetPipeInfo", code,
       [=](void* h) {
         return clGetPipeInfo(m(h), CL_PIPE_PACKET_SIZE, sizeof scratch, scratch, nullptr);
       }},
  };
}

std::vector<HandleCall> sampler_calls() {
  const auto code = CL_INVALID_SAMPLER;
  const auto s = [](void* h) { return static_cast<cl_sampler>(h); };
  return {
      {"clRetainSampler", code, [=](void* h) { return clRetainSampler(s(h)); }},
      {"clReleaseSampler", code, [=](void* h) { return clReleaseSampler(s(h)); }},
      {"clGetSamplerInfo", code,
       [=](void* h) {
         return clGetSamplerInfo(s(h), CL_SAMPLER_CONTEXT, sizeof scratch, scratch, nullptr);
       }},
  };
}

std::vector<HandleCall> program_calls() {
  const auto code = CL_INVALID_PROGRAM;
  const auto p = [](void* h) { return static_cast<cl_program>(h); };
  return {
      {"clSetProgramReleaseCallback", code,
       [=](void* h) { return clSetProgramReleaseCallback(p(h), ignore_program, nullptr); }},
      {"clSetProgramSpecializationConstant", code,
       [=](void* h) { return clSetProgramSpecializationConstant(p(h), 0, 4, scratch); }},
  };
}

std::vector<HandleCall> kernel_calls() {
  const auto code = CL_INVALID_KERNEL;
  const auto k = [](void* h) { return static_cast<cl_kernel>(h); };
  return {
      {"clSetKernelArgSVMPointer", code,
       [=](void* h) { return clSetKernelArgSVMPointer(k(h), 0, scratch); }},
      {"clSetKernelExecInfo", code,
       [=](void* h) {
         const cl_bool off = CL_FALSE;
         return clSetKernelExecInfo(k(h), CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof off,
                                    &off);
       }},
      {"clGetKernelSubGroupInfo", code,
       [=](void* h) {
         return clGetKernelSubGroupInfo(k(h), device(), CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr,
                                        sizeof scratch, scratch, nullptr);
       }},
  };
}

} // namespace

std::vector<DispatchedCalls> optional_calls(const World& w) {
  return {
      {"context", context_calls(), w.context.get()}, {"queue", queue_calls(w), w.queue.get()},
      {"buffer", memory_calls(), w.buffer.get()},    {"sampler", sampler_calls(), nullptr},
      {"program", program_calls(), w.program.get()}, {"kernel", kernel_calls(), w.kernel.get()},
  };
}

} // namespace heddle::test
