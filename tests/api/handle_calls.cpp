// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/api/handle_calls.h"

#include <cstring>

namespace heddle::test {
namespace {

constexpr const char* kSource = "kernel void k(global int* out) { out[get_global_id(0)] = 7; }";
const size_t kOne = 1;
const size_t kOrigin[3] = {0, 0, 0};
const size_t kRegion[3] = {4, 1, 1};
const cl_int kPattern = 3;
char scratch[256];

void CL_CALLBACK ignore_event(cl_event, cl_int, void*) {}
void CL_CALLBACK ignore_memory(cl_mem, void*) {}
void CL_CALLBACK ignore_native(void*) {}

template <class T>
auto as(void* handle) {
  return static_cast<T>(handle);
}

std::vector<HandleCall> context_calls(const World&) {
  const auto code = CL_INVALID_CONTEXT;
  const auto c = as<cl_context>;
  return {
      {"clRetainContext", code, [=](void* h) { return clRetainContext(c(h)); }},
      {"clReleaseContext", code, [=](void* h) { return clReleaseContext(c(h)); }},
      {"clGetContextInfo", code,
       [=](void* h) {
         return clGetContextInfo(c(h), CL_CONTEXT_NUM_DEVICES, sizeof scratch, scratch, nullptr);
       }},
      {"clCreateCommandQueue", code,
       [=](void* h) {
         return created([&](cl_int* s) { return clCreateCommandQueue(c(h), device(), 0, s); });
       }},
      {"clCreateCommandQueueWithProperties", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           return clCreateCommandQueueWithProperties(c(h), device(), nullptr, s);
         });
       }},
      {"clCreateBuffer", code,
       [=](void* h) {
         return created(
             [&](cl_int* s) { return clCreateBuffer(c(h), CL_MEM_READ_WRITE, 64, nullptr, s); });
       }},
      {"clCreateBufferWithProperties", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           return clCreateBufferWithProperties(c(h), nullptr, CL_MEM_READ_WRITE, 64, nullptr, s);
         });
       }},
      {"clCreateProgramWithSource", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           const char* text = kSource;
           return clCreateProgramWithSource(c(h), 1, &text, nullptr, s);
         });
       }},
      {"clCreateProgramWithBinary", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           const auto chosen = device();
           const auto* bytes = reinterpret_cast<const unsigned char*>("binary");
           const size_t size = 6;
           return clCreateProgramWithBinary(c(h), 1, &chosen, &size, &bytes, nullptr, s);
         });
       }},
      {"clCreateProgramWithBuiltInKernels", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           const auto chosen = device();
           return clCreateProgramWithBuiltInKernels(c(h), 1, &chosen, "none", s);
         });
       }},
      {"clCreateUserEvent", code,
       [=](void* h) { return created([&](cl_int* s) { return clCreateUserEvent(c(h), s); }); }},
      {"clGetSupportedImageFormats", code,
       [=](void* h) {
         cl_uint count = 0;
         return clGetSupportedImageFormats(c(h), CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0,
                                           nullptr, &count);
       }},
      {"clLinkProgram", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           cl_program none = nullptr;
           return clLinkProgram(c(h), 0, nullptr, nullptr, 1, &none, nullptr, nullptr, s);
         });
       }},
  };
}

std::vector<HandleCall> queue_calls(const World& w) {
  const auto code = CL_INVALID_COMMAND_QUEUE;
  const auto q = as<cl_command_queue>;
  const cl_mem buffer = w.buffer;
  const cl_kernel kernel = w.kernel;
  return {
      {"clRetainCommandQueue", code, [=](void* h) { return clRetainCommandQueue(q(h)); }},
      {"clReleaseCommandQueue", code, [=](void* h) { return clReleaseCommandQueue(q(h)); }},
      {"clGetCommandQueueInfo", code,
       [=](void* h) {
         return clGetCommandQueueInfo(q(h), CL_QUEUE_CONTEXT, sizeof scratch, scratch, nullptr);
       }},
      {"clFlush", code, [=](void* h) { return clFlush(q(h)); }},
      {"clFinish", code, [=](void* h) { return clFinish(q(h)); }},
      {"clEnqueueReadBuffer", code,
       [=](void* h) {
         return clEnqueueReadBuffer(q(h), buffer, CL_TRUE, 0, 4, scratch, 0, nullptr, nullptr);
       }},
      {"clEnqueueWriteBuffer", code,
       [=](void* h) {
         return clEnqueueWriteBuffer(q(h), buffer, CL_TRUE, 0, 4, scratch, 0, nullptr, nullptr);
       }},
      {"clEnqueueCopyBuffer", code,
       [=](void* h) {
         return clEnqueueCopyBuffer(q(h), buffer, buffer, 0, 8, 4, 0, nullptr, nullptr);
       }},
      {"clEnqueueFillBuffer", code,
       [=](void* h) {
         return clEnqueueFillBuffer(q(h), buffer, &kPattern, 4, 0, 8, 0, nullptr, nullptr);
       }},
      {"clEnqueueReadBufferRect", code,
       [=](void* h) {
         return clEnqueueReadBufferRect(q(h), buffer, CL_TRUE, kOrigin, kOrigin, kRegion, 0, 0, 0,
                                        0, scratch, 0, nullptr, nullptr);
       }},
      {"clEnqueueWriteBufferRect", code,
       [=](void* h) {
         return clEnqueueWriteBufferRect(q(h), buffer, CL_TRUE, kOrigin, kOrigin, kRegion, 0, 0, 0,
                                         0, scratch, 0, nullptr, nullptr);
       }},
      {"clEnqueueCopyBufferRect", code,
       [=](void* h) {
         const size_t target[3] = {16, 0, 0};
         return clEnqueueCopyBufferRect(q(h), buffer, buffer, kOrigin, target, kRegion, 0, 0, 0, 0,
                                        0, nullptr, nullptr);
       }},
      {"clEnqueueMapBuffer", code,
       [=](void* h) {
         cl_int status = CL_SUCCESS;
         clEnqueueMapBuffer(q(h), buffer, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &status);
         return status;
       }},
      {"clEnqueueUnmapMemObject", code,
       [=](void* h) {
         return clEnqueueUnmapMemObject(q(h), buffer, scratch, 0, nullptr, nullptr);
       }},
      {"clEnqueueMigrateMemObjects", code,
       [=](void* h) {
         return clEnqueueMigrateMemObjects(q(h), 1, &buffer, 0, 0, nullptr, nullptr);
       }},
      {"clEnqueueNDRangeKernel", code,
       [=](void* h) {
         return clEnqueueNDRangeKernel(q(h), kernel, 1, nullptr, &kOne, nullptr, 0, nullptr,
                                       nullptr);
       }},
      {"clEnqueueTask", code,
       [=](void* h) { return clEnqueueTask(q(h), kernel, 0, nullptr, nullptr); }},
      {"clEnqueueNativeKernel", code,
       [=](void* h) {
         return clEnqueueNativeKernel(q(h), ignore_native, nullptr, 0, 0, nullptr, nullptr, 0,
                                      nullptr, nullptr);
       }},
      {"clEnqueueMarkerWithWaitList", code,
       [=](void* h) { return clEnqueueMarkerWithWaitList(q(h), 0, nullptr, nullptr); }},
      {"clEnqueueBarrierWithWaitList", code,
       [=](void* h) { return clEnqueueBarrierWithWaitList(q(h), 0, nullptr, nullptr); }},
      {"clEnqueueMarker", code,
       [=](void* h) {
         cl_event event = nullptr;
         return clEnqueueMarker(q(h), &event);
       }},
      {"clEnqueueBarrier", code, [=](void* h) { return clEnqueueBarrier(q(h)); }},
  };
}

std::vector<HandleCall> buffer_calls(const World&) {
  const auto code = CL_INVALID_MEM_OBJECT;
  const auto m = as<cl_mem>;
  return {
      {"clRetainMemObject", code, [=](void* h) { return clRetainMemObject(m(h)); }},
      {"clReleaseMemObject", code, [=](void* h) { return clReleaseMemObject(m(h)); }},
      {"clGetMemObjectInfo", code,
       [=](void* h) {
         return clGetMemObjectInfo(m(h), CL_MEM_SIZE, sizeof scratch, scratch, nullptr);
       }},
      {"clSetMemObjectDestructorCallback", code,
       [=](void* h) { return clSetMemObjectDestructorCallback(m(h), ignore_memory, nullptr); }},
      {"clCreateSubBuffer", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           const cl_buffer_region region{0, 4};
           return clCreateSubBuffer(m(h), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, s);
         });
       }},
  };
}

std::vector<HandleCall> program_calls(const World&) {
  const auto code = CL_INVALID_PROGRAM;
  const auto p = as<cl_program>;
  return {
      {"clRetainProgram", code, [=](void* h) { return clRetainProgram(p(h)); }},
      {"clReleaseProgram", code, [=](void* h) { return clReleaseProgram(p(h)); }},
      {"clGetProgramInfo", code,
       [=](void* h) {
         return clGetProgramInfo(p(h), CL_PROGRAM_NUM_DEVICES, sizeof scratch, scratch, nullptr);
       }},
      {"clGetProgramBuildInfo", code,
       [=](void* h) {
         return clGetProgramBuildInfo(p(h), device(), CL_PROGRAM_BUILD_STATUS, sizeof scratch,
                                      scratch, nullptr);
       }},
      {"clBuildProgram", code,
       [=](void* h) { return clBuildProgram(p(h), 0, nullptr, "", nullptr, nullptr); }},
      {"clCompileProgram", code,
       [=](void* h) {
         return clCompileProgram(p(h), 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr);
       }},
      {"clCreateKernel", code,
       [=](void* h) { return created([&](cl_int* s) { return clCreateKernel(p(h), "k", s); }); }},
      {"clCreateKernelsInProgram", code,
       [=](void* h) {
         cl_uint count = 0;
         return clCreateKernelsInProgram(p(h), 0, nullptr, &count);
       }},
  };
}

std::vector<HandleCall> kernel_calls(const World&) {
  const auto code = CL_INVALID_KERNEL;
  const auto k = as<cl_kernel>;
  return {
      {"clRetainKernel", code, [=](void* h) { return clRetainKernel(k(h)); }},
      {"clReleaseKernel", code, [=](void* h) { return clReleaseKernel(k(h)); }},
      {"clGetKernelInfo", code,
       [=](void* h) {
         return clGetKernelInfo(k(h), CL_KERNEL_NUM_ARGS, sizeof scratch, scratch, nullptr);
       }},
      {"clGetKernelArgInfo", code,
       [=](void* h) {
         return clGetKernelArgInfo(k(h), 0, CL_KERNEL_ARG_NAME, sizeof scratch, scratch, nullptr);
       }},
      {"clGetKernelWorkGroupInfo", code,
       [=](void* h) {
         return clGetKernelWorkGroupInfo(k(h), device(), CL_KERNEL_WORK_GROUP_SIZE, sizeof scratch,
                                         scratch, nullptr);
       }},
      {"clSetKernelArg", code,
       [=](void* h) { return clSetKernelArg(k(h), 0, sizeof(cl_mem), nullptr); }},
      {"clCloneKernel", code,
       [=](void* h) { return created([&](cl_int* s) { return clCloneKernel(k(h), s); }); }},
  };
}

std::vector<HandleCall> event_calls(const World&) {
  const auto code = CL_INVALID_EVENT;
  const auto e = as<cl_event>;
  return {
      {"clRetainEvent", code, [=](void* h) { return clRetainEvent(e(h)); }},
      {"clReleaseEvent", code, [=](void* h) { return clReleaseEvent(e(h)); }},
      {"clGetEventInfo", code,
       [=](void* h) {
         return clGetEventInfo(e(h), CL_EVENT_COMMAND_TYPE, sizeof scratch, scratch, nullptr);
       }},
      {"clGetEventProfilingInfo", code,
       [=](void* h) {
         return clGetEventProfilingInfo(e(h), CL_PROFILING_COMMAND_END, sizeof scratch, scratch,
                                        nullptr);
       }},
      {"clSetEventCallback", code,
       [=](void* h) { return clSetEventCallback(e(h), CL_COMPLETE, ignore_event, nullptr); }},
      {"clSetUserEventStatus", code,
       [=](void* h) { return clSetUserEventStatus(e(h), CL_COMPLETE); }},
      {"clWaitForEvents", code,
       [=](void* h) {
         const auto event = e(h);
         return clWaitForEvents(1, &event);
       }},
  };
}

std::vector<HandleCall> device_calls(const World&) {
  const auto code = CL_INVALID_DEVICE;
  const auto d = as<cl_device_id>;
  return {
      {"clRetainDevice", code, [=](void* h) { return clRetainDevice(d(h)); }},
      {"clReleaseDevice", code, [=](void* h) { return clReleaseDevice(d(h)); }},
      {"clGetDeviceInfo", code,
       [=](void* h) {
         return clGetDeviceInfo(d(h), CL_DEVICE_TYPE, sizeof scratch, scratch, nullptr);
       }},
      {"clCreateContext", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           const auto chosen = d(h);
           return clCreateContext(nullptr, 1, &chosen, nullptr, nullptr, s);
         });
       }},
      {"clCreateSubDevices", code,
       [=](void* h) {
         const cl_device_partition_property parts[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
         cl_uint count = 0;
         return clCreateSubDevices(d(h), parts, 0, nullptr, &count);
       }},
  };
}

std::vector<HandleCall> inner_buffer_calls(const World& w) {
  const auto code = CL_INVALID_MEM_OBJECT;
  const auto m = as<cl_mem>;
  const cl_command_queue q = w.queue;
  const cl_kernel kernel = w.kernel;
  const cl_mem good = w.buffer;
  return {
      {"clEnqueueReadBuffer buffer", code,
       [=](void* h) {
         return clEnqueueReadBuffer(q, m(h), CL_TRUE, 0, 4, scratch, 0, nullptr, nullptr);
       }},
      {"clEnqueueWriteBuffer buffer", code,
       [=](void* h) {
         return clEnqueueWriteBuffer(q, m(h), CL_TRUE, 0, 4, scratch, 0, nullptr, nullptr);
       }},
      {"clEnqueueCopyBuffer source", code,
       [=](void* h) { return clEnqueueCopyBuffer(q, m(h), good, 0, 0, 4, 0, nullptr, nullptr); }},
      {"clEnqueueCopyBuffer target", code,
       [=](void* h) { return clEnqueueCopyBuffer(q, good, m(h), 0, 0, 4, 0, nullptr, nullptr); }},
      {"clEnqueueFillBuffer buffer", code,
       [=](void* h) {
         return clEnqueueFillBuffer(q, m(h), &kPattern, 4, 0, 8, 0, nullptr, nullptr);
       }},
      {"clEnqueueReadBufferRect buffer", code,
       [=](void* h) {
         return clEnqueueReadBufferRect(q, m(h), CL_TRUE, kOrigin, kOrigin, kRegion, 0, 0, 0, 0,
                                        scratch, 0, nullptr, nullptr);
       }},
      {"clEnqueueWriteBufferRect buffer", code,
       [=](void* h) {
         return clEnqueueWriteBufferRect(q, m(h), CL_TRUE, kOrigin, kOrigin, kRegion, 0, 0, 0, 0,
                                         scratch, 0, nullptr, nullptr);
       }},
      {"clEnqueueCopyBufferRect source", code,
       [=](void* h) {
         return clEnqueueCopyBufferRect(q, m(h), good, kOrigin, kOrigin, kRegion, 0, 0, 0, 0, 0,
                                        nullptr, nullptr);
       }},
      {"clEnqueueCopyBufferRect target", code,
       [=](void* h) {
         return clEnqueueCopyBufferRect(q, good, m(h), kOrigin, kOrigin, kRegion, 0, 0, 0, 0, 0,
                                        nullptr, nullptr);
       }},
      {"clEnqueueMapBuffer buffer", code,
       [=](void* h) {
         cl_int status = CL_SUCCESS;
         clEnqueueMapBuffer(q, m(h), CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &status);
         return status;
       }},
      {"clEnqueueUnmapMemObject memory", code,
       [=](void* h) { return clEnqueueUnmapMemObject(q, m(h), scratch, 0, nullptr, nullptr); }},
      {"clEnqueueMigrateMemObjects second memory", code,
       [=](void* h) {
         const cl_mem list[] = {good, m(h)};
         return clEnqueueMigrateMemObjects(q, 2, list, 0, 0, nullptr, nullptr);
       }},
      {"clEnqueueNativeKernel memory", code,
       [=](void* h) {
         if (!h) // the list may hold nulls
           return code;
         void* arguments[1] = {};
         const cl_mem list[] = {m(h)};
         const void* places[] = {arguments};
         return clEnqueueNativeKernel(q, ignore_native, arguments, sizeof arguments, 1, list,
                                      places, 0, nullptr, nullptr);
       }},
      {"clSetKernelArg memory", code,
       [=](void* h) {
         if (!h) // a null buffer is a valid argument
           return code;
         return clSetKernelArg(kernel, 0, sizeof h, &h);
       }},
  };
}

std::vector<HandleCall> inner_event_calls(const World& w) {
  const auto code = CL_INVALID_EVENT_WAIT_LIST;
  const auto e = as<cl_event>;
  const cl_command_queue q = w.queue;
  const cl_kernel kernel = w.kernel;
  const cl_mem buffer = w.buffer;
  const cl_event done = w.done;
  return {
      {"clEnqueueReadBuffer wait list", code,
       [=](void* h) {
         const cl_event list[] = {done, e(h)};
         return clEnqueueReadBuffer(q, buffer, CL_TRUE, 0, 4, scratch, 2, list, nullptr);
       }},
      {"clEnqueueWriteBuffer wait list", code,
       [=](void* h) {
         const auto event = e(h);
         return clEnqueueWriteBuffer(q, buffer, CL_TRUE, 0, 4, scratch, 1, &event, nullptr);
       }},
      {"clEnqueueFillBuffer wait list", code,
       [=](void* h) {
         const auto event = e(h);
         return clEnqueueFillBuffer(q, buffer, &kPattern, 4, 0, 8, 1, &event, nullptr);
       }},
      {"clEnqueueNDRangeKernel wait list", code,
       [=](void* h) {
         const auto event = e(h);
         return clEnqueueNDRangeKernel(q, kernel, 1, nullptr, &kOne, nullptr, 1, &event, nullptr);
       }},
      {"clEnqueueMarkerWithWaitList wait list", code,
       [=](void* h) {
         const cl_event list[] = {done, e(h)};
         return clEnqueueMarkerWithWaitList(q, 2, list, nullptr);
       }},
      {"clEnqueueBarrierWithWaitList wait list", code,
       [=](void* h) {
         const auto event = e(h);
         return clEnqueueBarrierWithWaitList(q, 1, &event, nullptr);
       }},
      {"clEnqueueMapBuffer wait list", code,
       [=](void* h) {
         const auto event = e(h);
         cl_int status = CL_SUCCESS;
         clEnqueueMapBuffer(q, buffer, CL_TRUE, CL_MAP_READ, 0, 4, 1, &event, nullptr, &status);
         return status;
       }},
      {"clEnqueueMigrateMemObjects wait list", code,
       [=](void* h) {
         const auto event = e(h);
         return clEnqueueMigrateMemObjects(q, 1, &buffer, 0, 1, &event, nullptr);
       }},
      {"clWaitForEvents second event", CL_INVALID_EVENT,
       [=](void* h) {
         const cl_event list[] = {done, e(h)};
         return clWaitForEvents(2, list);
       }},
  };
}

std::vector<HandleCall> inner_device_calls(const World& w) {
  const auto code = CL_INVALID_DEVICE;
  const auto d = as<cl_device_id>;
  const cl_context context = w.context;
  const cl_program unbuilt = w.unbuilt;
  const cl_program program = w.program;
  const cl_kernel kernel = w.kernel;
  return {
      {"clCreateContext second device", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           const cl_device_id list[] = {device(), d(h)};
           return clCreateContext(nullptr, 2, list, nullptr, nullptr, s);
         });
       }},
      {"clCreateCommandQueue device", code,
       [=](void* h) {
         return created([&](cl_int* s) { return clCreateCommandQueue(context, d(h), 0, s); });
       }},
      {"clCreateCommandQueueWithProperties device", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           return clCreateCommandQueueWithProperties(context, d(h), nullptr, s);
         });
       }},
      {"clBuildProgram device", code,
       [=](void* h) {
         const auto chosen = d(h);
         return clBuildProgram(unbuilt, 1, &chosen, "", nullptr, nullptr);
       }},
      {"clCompileProgram device", code,
       [=](void* h) {
         const auto chosen = d(h);
         return clCompileProgram(unbuilt, 1, &chosen, "", 0, nullptr, nullptr, nullptr, nullptr);
       }},
      {"clGetProgramBuildInfo device", code,
       [=](void* h) {
         return clGetProgramBuildInfo(program, d(h), CL_PROGRAM_BUILD_STATUS, sizeof scratch,
                                      scratch, nullptr);
       }},
      {"clGetKernelWorkGroupInfo device", code,
       [=](void* h) {
         if (!h) // allowed when the kernel has one device
           return code;
         return clGetKernelWorkGroupInfo(kernel, d(h), CL_KERNEL_WORK_GROUP_SIZE, sizeof scratch,
                                         scratch, nullptr);
       }},
      {"clCreateProgramWithBinary device", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           const auto chosen = d(h);
           const auto* bytes = reinterpret_cast<const unsigned char*>("binary");
           const size_t size = 6;
           return clCreateProgramWithBinary(context, 1, &chosen, &size, &bytes, nullptr, s);
         });
       }},
  };
}

std::vector<HandleCall> inner_program_calls(const World& w) {
  const auto code = CL_INVALID_PROGRAM;
  const auto p = as<cl_program>;
  const cl_context context = w.context;
  const cl_program unbuilt = w.unbuilt;
  return {
      {"clLinkProgram input", code,
       [=](void* h) {
         return created([&](cl_int* s) {
           const auto input = p(h);
           return clLinkProgram(context, 0, nullptr, "", 1, &input, nullptr, nullptr, s);
         });
       }},
      {"clCompileProgram header", code,
       [=](void* h) {
         const auto header = p(h);
         const char* name = "header.h";
         return clCompileProgram(unbuilt, 0, nullptr, "", 1, &header, &name, nullptr, nullptr);
       }},
  };
}

std::vector<HandleCall> inner_kernel_calls(const World& w) {
  const auto code = CL_INVALID_KERNEL;
  const auto k = as<cl_kernel>;
  const cl_command_queue q = w.queue;
  return {
      {"clEnqueueNDRangeKernel kernel", code,
       [=](void* h) {
         return clEnqueueNDRangeKernel(q, k(h), 1, nullptr, &kOne, nullptr, 0, nullptr, nullptr);
       }},
      {"clEnqueueTask kernel", code,
       [=](void* h) { return clEnqueueTask(q, k(h), 0, nullptr, nullptr); }},
  };
}

} // namespace

World::World()
    : context(make_context()), queue(make_queue(context)), buffer(make_buffer(context, 256)),
      unbuilt(make_program(context, kSource)), program(build(context, kSource)),
      kernel(make_kernel(program, "k")) {
  set_args(kernel, buffer);
  cl_int status = CL_SUCCESS;
  *user_event.out() = clCreateUserEvent(context, &status);
  check(status, "clCreateUserEvent");
  check(clEnqueueMarkerWithWaitList(queue, 0, nullptr, done.out()), "clEnqueueMarkerWithWaitList");
  check(clFinish(queue), "clFinish");
}

std::vector<DispatchedCalls> dispatched_calls(const World& w) {
  std::vector<DispatchedCalls> all = {
      {"context", context_calls(w), w.context.get()},
      {"queue", queue_calls(w), w.queue.get()},
      {"buffer", buffer_calls(w), w.buffer.get()},
      {"program", program_calls(w), w.program.get()},
      {"kernel", kernel_calls(w), w.kernel.get()},
      {"event", event_calls(w), w.done.get()},
      {"device", device_calls(w), device()},
  };
  for (auto& family : optional_calls(w))
    all.push_back(std::move(family));
  return all;
}

std::vector<DispatchedCalls> inner_calls(const World& w) {
  return {
      {"buffer", inner_buffer_calls(w), w.buffer.get()},
      {"event", inner_event_calls(w), w.done.get()},
      {"device", inner_device_calls(w), device()},
      {"program", inner_program_calls(w), w.program.get()},
      {"kernel", inner_kernel_calls(w), w.kernel.get()},
  };
}

ForeignObject::ForeignObject() : words_(512, nullptr) {
  std::memcpy(words_.data(), platform(), sizeof(void*));
}

} // namespace heddle::test
