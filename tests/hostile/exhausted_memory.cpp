// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each allocation of every call that creates or enqueues something fails in turn: the call returns
// an out-of-memory error or success, and the driver works as before.
#include "tests/hostile/failing_allocator.h"
#include "tests/hostile/hostile.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>

using namespace heddle::hostile;
using failing_allocator::Threads;

namespace {

constexpr long kMaxAllocations = 3000;

struct World {
  Session session;
  cl_context context = session.context;
  cl_command_queue queue = session.queue;
  Queue any_order =
      make_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  Program program;
  Kernel plain, tiled, printing;
  Kernel enqueuing; // null without device queues
  Queue on_device;
  Buffer buffer = make_buffer(context, 1 << 16), other = make_buffer(context, 1 << 16);
  Queue held = make_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Event gate;
  std::vector<Event> done;
  std::vector<cl_event> many; // more than a list on the stack would hold
  std::vector<int> host = std::vector<int>(1 << 14);
};

const char* const kSource = R"(
  kernel void plain(global int* out) { out[get_global_id(0)] = get_global_id(0); }
  kernel void tiled(global int* out, local int* tile) {
    tile[get_local_id(0)] = out[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[get_local_size(0) - 1 - get_local_id(0)];
  }
  kernel void printing(global int* out) { if (get_global_id(0) == 99) printf("%d\n", out[0]); })";

// An object that is constructed before the first launch.
const char* const kObjectSource = R"(
  struct Object { int value; Object() : value(get_global_size(0) + 6) {} ~Object() { value = 0; } };
  Object object;
  kernel void k(global int* out) { out[0] = object.value; })";

// Each of the blocks, which may run at the same time, is counted, as run or as refused.
const char* const kEnqueuingSource = R"(
  kernel void enqueuing(global int* out) {
    out[0] = out[1] = 0;
    for (int i = 0; i < 8; ++i) {
      clk_event_t event = CLK_NULL_EVENT;
      const char padding[200] = {i};
      if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 0, NULL,
                         i % 2 ? &event : 0, ^{ atomic_add(out, padding[0] >= 0); }))
        out[1] += 1;
      if (i % 2) release_event(event);
    }
  })";

constexpr const char* kObjectOptions = "-cl-std=CLC++";

bool is_memory_error(cl_int status) {
  return status == CL_OUT_OF_HOST_MEMORY || status == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
         status == CL_OUT_OF_RESOURCES;
}

// A call under test; the caller's `Owned` releases the objects it creates.
struct Case {
  const char* name;
  std::function<cl_int(World&)> call;
};

template <class T>
cl_int made(T handle, cl_int status) {
  Owned<T> owner(handle);
  if ((status == CL_SUCCESS) != (handle != nullptr))
    expect(false, "a handle does not agree with the error code " + std::to_string(status));
  return status;
}

// Enqueues a command with an event and waits for it. A failure of the command counts as that of the
// call.
cl_int ended(cl_int status, Event& event) {
  if (status != CL_SUCCESS)
    return status;
  const auto waited = clWaitForEvents(1, event.address());
  if (waited == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) {
    const auto own = event_status(event);
    return own < 0 ? own : waited;
  }
  return waited;
}

cl_int launch(World& w, cl_command_queue queue, cl_kernel kernel, size_t global, size_t local,
              bool waits) {
  Event event;
  const auto status = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local,
                                             waits ? static_cast<cl_uint>(w.many.size()) : 0,
                                             waits ? w.many.data() : nullptr, event.out());
  return ended(status, event);
}

void CL_CALLBACK ignore_event(cl_event, cl_int, void*) {}
void CL_CALLBACK ignore_memory(cl_mem, void*) {}
void CL_CALLBACK ignore_context(cl_context, void*) {}

const std::array<size_t, 3> kOrigin{0, 0, 0}, kRegion{64, 8, 4};

std::vector<Case> object_cases() {
  return {
      {"clCreateContext",
       [](World&) {
         cl_int status = 1;
         const auto d = device();
         const cl_context_properties properties[] = {
             CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform()), 0};
         const auto context = clCreateContext(properties, 1, &d, nullptr, nullptr, &status);
         return made(context, status);
       }},
      {"clCreateContextFromType",
       [](World&) {
         cl_int status = 1;
         const cl_context_properties properties[] = {
             CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform()), 0};
         const auto context =
             clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, nullptr, nullptr, &status);
         return made(context, status);
       }},
      {"clSetContextDestructorCallback",
       [](World&) {
         const auto context = make_context();
         return clSetContextDestructorCallback(context, ignore_context, nullptr);
       }},
      {"clCreateCommandQueueWithProperties",
       [](World& w) {
         cl_int status = 1;
         const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE,
                                                   0};
         const auto queue =
             clCreateCommandQueueWithProperties(w.context, device(), properties, &status);
         return made(queue, status);
       }},
      {"clCreateSubDevices",
       [](World&) {
         const cl_device_partition_property by_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
         std::vector<cl_device_id> parts(info<cl_uint>(device(), CL_DEVICE_MAX_COMPUTE_UNITS));
         if (parts.size() < 2)
           return CL_SUCCESS;
         cl_uint count = 0;
         const auto status = clCreateSubDevices(
             device(), by_one, static_cast<cl_uint>(parts.size()), parts.data(), &count);
         for (cl_uint i = 0; status == CL_SUCCESS && i != count; ++i)
           clReleaseDevice(parts[i]);
         return status;
       }},
      {"clCreateBuffer",
       [](World& w) {
         cl_int status = 1;
         const auto buffer = clCreateBuffer(w.context, CL_MEM_READ_WRITE, 4096, nullptr, &status);
         return made(buffer, status);
       }},
      {"clCreateBuffer with a copy",
       [](World& w) {
         cl_int status = 1;
         const auto buffer = clCreateBuffer(w.context, CL_MEM_COPY_HOST_PTR, w.host.size() * 4,
                                            w.host.data(), &status);
         return made(buffer, status);
       }},
      {"clCreateBufferWithProperties",
       [](World& w) {
         cl_int status = 1;
         const cl_mem_properties none[] = {0};
         const auto buffer = clCreateBufferWithProperties(
             w.context, none, CL_MEM_USE_HOST_PTR, w.host.size() * 4, w.host.data(), &status);
         return made(buffer, status);
       }},
      {"clCreateSubBuffer",
       [](World& w) {
         cl_int status = 1;
         const cl_buffer_region region{4096, 4096};
         const auto buffer =
             clCreateSubBuffer(w.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
         return made(buffer, status);
       }},
      {"clSetMemObjectDestructorCallback",
       [](World& w) {
         const auto buffer = make_buffer(w.context, 64);
         return clSetMemObjectDestructorCallback(buffer, ignore_memory, nullptr);
       }},
      {"clCreateProgramWithSource",
       [](World& w) {
         cl_int status = 1;
         const char* source = kSource;
         const auto program = clCreateProgramWithSource(w.context, 1, &source, nullptr, &status);
         return made(program, status);
       }},
      {"clGetProgramInfo and clCreateProgramWithBinary",
       [](World& w) {
         size_t size = 0;
         cl_int status =
             clGetProgramInfo(w.program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr);
         if (status != CL_SUCCESS)
           return status;
         auto* bytes = static_cast<unsigned char*>(__libc_malloc(size));
         status = clGetProgramInfo(w.program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr);
         const unsigned char* binary = bytes;
         const auto d = device();
         if (status == CL_SUCCESS) {
           Program program(
               clCreateProgramWithBinary(w.context, 1, &d, &size, &binary, nullptr, &status));
           if (status == CL_SUCCESS)
             status = clBuildProgram(program, 1, &d, "", nullptr, nullptr);
         }
         std::free(bytes);
         return status;
       }},
      {"clBuildProgram, from the cache",
       [](World& w) {
         const auto program = make_program(w.context, kSource);
         const auto d = device();
         const auto status = clBuildProgram(program, 1, &d, "", nullptr, nullptr);
         if (status == CL_SUCCESS)
           return status;
         // The build is not left in progress: a second attempt works.
         failing_allocator::disarm();
         check(clBuildProgram(program, 1, &d, "", nullptr, nullptr), "clBuildProgram again");
         return status;
       }},
      {"clBuildProgram with a callback",
       [](World& w) {
         const auto program = make_program(w.context, kSource);
         const auto d = device();
         std::atomic<bool> told{false};
         const auto status = clBuildProgram(
             program, 1, &d, "",
             [](cl_program, void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, &told);
         while (status == CL_SUCCESS && !told)
           std::this_thread::yield();
         failing_allocator::disarm();
         cl_build_status built = CL_BUILD_NONE;
         check(clGetProgramBuildInfo(program, d, CL_PROGRAM_BUILD_STATUS, sizeof built, &built,
                                     nullptr),
               "clGetProgramBuildInfo");
         expect(built != CL_BUILD_IN_PROGRESS, "a build that never ends");
         return status != CL_SUCCESS        ? status
                : built == CL_BUILD_SUCCESS ? CL_SUCCESS
                                            : CL_OUT_OF_HOST_MEMORY;
       }},
      {"clCompileProgram and clLinkProgram, from the cache",
       [](World& w) {
         const auto program = make_program(w.context, kSource);
         const auto d = device();
         cl_int status =
             clCompileProgram(program, 1, &d, "", 0, nullptr, nullptr, nullptr, nullptr);
         if (status != CL_SUCCESS)
           return status;
         Program linked(
             clLinkProgram(w.context, 1, &d, "", 1, program.address(), nullptr, nullptr, &status));
         expect(status != CL_SUCCESS || linked, "a link without a program");
         return status;
       }},
      {"clCreateKernel",
       [](World& w) {
         cl_int status = 1;
         const auto kernel = clCreateKernel(w.program, "tiled", &status);
         return made(kernel, status);
       }},
      {"clCreateKernelsInProgram",
       [](World& w) {
         cl_kernel kernels[3]{};
         const auto status = clCreateKernelsInProgram(w.program, 3, kernels, nullptr);
         for (auto* kernel : kernels)
           if (status == CL_SUCCESS)
             clReleaseKernel(kernel);
         return status;
       }},
      {"clCloneKernel",
       [](World& w) {
         cl_int status = 1;
         const auto kernel = clCloneKernel(w.tiled, &status);
         return made(kernel, status);
       }},
      {"clSetKernelArg",
       [](World& w) {
         const auto kernel = make_kernel(w.program, "tiled");
         const auto status = set_arg(kernel, 0, w.buffer);
         return status ? status : set_arg(kernel, 1, Local{256});
       }},
      {"clCreateUserEvent",
       [](World& w) {
         cl_int status = 1;
         Event event(clCreateUserEvent(w.context, &status));
         return status ? status : clSetUserEventStatus(event, CL_COMPLETE);
       }},
      {"clSetEventCallback",
       [](World& w) {
         cl_int status = 1;
         Event event(clCreateUserEvent(w.context, &status));
         if (status == CL_SUCCESS)
           status = clSetEventCallback(event, CL_COMPLETE, ignore_event, nullptr);
         if (event)
           clSetUserEventStatus(event, CL_COMPLETE);
         return status;
       }},
      {"clGetProgramBuildInfo",
       [](World& w) {
         char log[256];
         return clGetProgramBuildInfo(w.program, device(), CL_PROGRAM_BUILD_LOG, sizeof log, log,
                                      nullptr);
       }},
      {"clGetDeviceInfo",
       [](World&) {
         char text[4096];
         return clGetDeviceInfo(device(), CL_DEVICE_EXTENSIONS, sizeof text, text, nullptr);
       }},
      {"clGetKernelInfo",
       [](World& w) {
         char text[256];
         return clGetKernelInfo(w.plain, CL_KERNEL_FUNCTION_NAME, sizeof text, text, nullptr);
       }},
  };
}

cl_image_desc image_shape() {
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = 64;
  shape.image_height = 8;
  shape.num_mip_levels = 3;
  return shape;
}

cl_mem make_image(World& w, cl_int& status) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const auto shape = image_shape();
  return clCreateImage(w.context, 0, &format, &shape, nullptr, &status);
}

std::vector<Case> image_cases() {
  return {
      {"clCreateImage",
       [](World& w) {
         cl_int status = 1;
         const auto image = make_image(w, status);
         return made(image, status);
       }},
      {"clCreateImageWithProperties from a buffer",
       [](World& w) {
         const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
         auto shape = image_shape();
         shape.num_mip_levels = 0;
         shape.mem_object = w.buffer;
         const cl_mem_properties none = 0;
         cl_int status = 1;
         const auto image =
             clCreateImageWithProperties(w.context, &none, 0, &format, &shape, nullptr, &status);
         return made(image, status);
       }},
      {"clCreateSamplerWithProperties",
       [](World& w) {
         const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
         cl_int status = 1;
         const auto sampler = clCreateSamplerWithProperties(w.context, list, &status);
         return made(sampler, status);
       }},
      {"commands on images",
       [](World& w) {
         cl_int status = 1;
         const Owned<cl_mem> image(make_image(w, status));
         if (status != CL_SUCCESS)
           return status;
         const std::array<size_t, 3> region{64, 8, 1};
         const float color[4] = {};
         Event event;
         size_t pitch = 0;
         if (const auto error = ended(clEnqueueFillImage(w.queue, image, color, kOrigin.data(),
                                                         region.data(), 0, nullptr, event.out()),
                                      event))
           return error;
         if (const auto error =
                 ended(clEnqueueReadImage(w.queue, image, CL_FALSE, kOrigin.data(), region.data(),
                                          0, 0, w.host.data(), 0, nullptr, event.out()),
                       event))
           return error;
         void* place =
             clEnqueueMapImage(w.queue, image, CL_TRUE, CL_MAP_READ, kOrigin.data(), region.data(),
                               &pitch, nullptr, 0, nullptr, nullptr, &status);
         if (status != CL_SUCCESS)
           return status;
         return ended(clEnqueueUnmapMemObject(w.queue, image, place, 0, nullptr, event.out()),
                      event);
       }},
  };
}

std::vector<Case> command_cases() {
  return {
      {"clEnqueueNDRangeKernel",
       [](World& w) { return launch(w, w.queue, w.plain, 4096, 64, false); }},
      {"clEnqueueNDRangeKernel, one group",
       [](World& w) { return launch(w, w.queue, w.plain, 64, 64, false); }},
      {"clEnqueueNDRangeKernel with barriers",
       [](World& w) { return launch(w, w.queue, w.tiled, 4096, 64, false); }},
      {"clEnqueueNDRangeKernel that prints",
       [](World& w) { return launch(w, w.queue, w.printing, 64, 64, false); }},
      {"enqueue_kernel",
       [](World& w) {
         if (!w.enqueuing)
           return CL_SUCCESS;
         const auto status = launch(w, w.queue, w.enqueuing, 1, 1, false);
         failing_allocator::disarm();
         if (status != CL_SUCCESS)
           return status;
         const auto counts = read<cl_int>(w.queue, w.other, 2);
         expect(counts[0] + counts[1] == 8, "a block that neither ran nor was refused");
         return counts[1] == 0 ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
       }},
      {"clEnqueueNDRangeKernel that constructs objects",
       [](World& w) {
         const auto program = make_program(w.context, kObjectSource);
         const auto d = device();
         auto status = clBuildProgram(program, 1, &d, kObjectOptions, nullptr, nullptr);
         if (status != CL_SUCCESS)
           return status;
         Kernel kernel(clCreateKernel(program, "k", &status));
         if (status != CL_SUCCESS)
           return status;
         status = set_arg(kernel, 0, w.other);
         if (status == CL_SUCCESS)
           status = launch(w, w.queue, kernel, 1, 1, false);
         // A failure does not last.
         failing_allocator::disarm();
         set_args(kernel, w.other);
         check(launch(w, w.queue, kernel, 1, 1, false), "launch again");
         expect(read<cl_int>(w.queue, w.other, 1)[0] == 7, "an object that is not constructed");
         return status;
       }},
      {"clEnqueueNDRangeKernel behind many",
       [](World& w) { return launch(w, w.any_order, w.plain, 64, 64, true); }},
      {"clEnqueueNDRangeKernel behind a user event",
       [](World& w) {
         cl_int status = 1;
         Event gate(clCreateUserEvent(w.context, &status)), first, second;
         if (status != CL_SUCCESS)
           return status;
         const size_t size = 64;
         status = clEnqueueNDRangeKernel(w.queue, w.plain, 1, nullptr, &size, &size, 1,
                                         gate.address(), first.out());
         // A second dependent of the same event needs memory where the first does not.
         if (status == CL_SUCCESS)
           status = clEnqueueNDRangeKernel(w.any_order, w.plain, 1, nullptr, &size, &size, 1,
                                           gate.address(), second.out());
         clSetUserEventStatus(gate, CL_COMPLETE);
         if (first)
           clWaitForEvents(1, first.address());
         return ended(status, second);
       }},
      {"clEnqueueTask",
       [](World& w) {
         Event event;
         return ended(clEnqueueTask(w.queue, w.printing, 0, nullptr, event.out()), event);
       }},
      {"clEnqueueReadBuffer",
       [](World& w) {
         return clEnqueueReadBuffer(w.queue, w.buffer, CL_TRUE, 0, 4096, w.host.data(), 0, nullptr,
                                    nullptr);
       }},
      {"clEnqueueWriteBuffer",
       [](World& w) {
         Event event;
         return ended(clEnqueueWriteBuffer(w.queue, w.buffer, CL_FALSE, 0, 4096, w.host.data(), 0,
                                           nullptr, event.out()),
                      event);
       }},
      {"clEnqueueCopyBuffer",
       [](World& w) {
         Event event;
         return ended(clEnqueueCopyBuffer(w.any_order, w.buffer, w.other, 0, 0, 4096,
                                          static_cast<cl_uint>(w.many.size()), w.many.data(),
                                          event.out()),
                      event);
       }},
      {"clEnqueueFillBuffer",
       [](World& w) {
         Event event;
         const cl_int pattern = 3;
         return ended(
             clEnqueueFillBuffer(w.queue, w.buffer, &pattern, 4, 0, 4096, 0, nullptr, event.out()),
             event);
       }},
      {"clEnqueueReadBufferRect",
       [](World& w) {
         return clEnqueueReadBufferRect(w.queue, w.buffer, CL_TRUE, kOrigin.data(), kOrigin.data(),
                                        kRegion.data(), 64, 512, 64, 512, w.host.data(), 0, nullptr,
                                        nullptr);
       }},
      {"clEnqueueWriteBufferRect",
       [](World& w) {
         return clEnqueueWriteBufferRect(w.queue, w.buffer, CL_TRUE, kOrigin.data(), kOrigin.data(),
                                         kRegion.data(), 64, 512, 64, 512, w.host.data(), 0,
                                         nullptr, nullptr);
       }},
      {"clEnqueueCopyBufferRect",
       [](World& w) {
         Event event;
         return ended(clEnqueueCopyBufferRect(w.queue, w.buffer, w.other, kOrigin.data(),
                                              kOrigin.data(), kRegion.data(), 64, 512, 64, 512, 0,
                                              nullptr, event.out()),
                      event);
       }},
      {"clEnqueueMapBuffer",
       [](World& w) {
         cl_int status = 1;
         void* mapped = clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0,
                                           nullptr, nullptr, &status);
         expect((mapped != nullptr) == (status == CL_SUCCESS), "a mapping without success");
         if (status != CL_SUCCESS)
           return status;
         Event event;
         status = clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 0, nullptr, event.out());
         if (is_memory_error(status)) // still mapped
           check(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 0, nullptr, nullptr),
                 "clEnqueueUnmapMemObject again");
         return ended(status, event);
       }},
      {"clEnqueueMigrateMemObjects",
       [](World& w) {
         Event event;
         const cl_mem memory = w.buffer;
         return ended(clEnqueueMigrateMemObjects(w.queue, 1, &memory, 0, 0, nullptr, event.out()),
                      event);
       }},
      {"clEnqueueNativeKernel",
       [](World& w) {
         Event event;
         int value = 1;
         return ended(clEnqueueNativeKernel(
                          w.queue, [](void*) {}, &value, sizeof value, 0, nullptr, nullptr, 0,
                          nullptr, event.out()),
                      event);
       }},
      {"clEnqueueMarkerWithWaitList",
       [](World& w) {
         Event event;
         return ended(clEnqueueMarkerWithWaitList(w.any_order, 0, nullptr, event.out()), event);
       }},
      {"clEnqueueBarrierWithWaitList",
       [](World& w) {
         Event event;
         return ended(clEnqueueBarrierWithWaitList(w.any_order, static_cast<cl_uint>(w.many.size()),
                                                   w.many.data(), event.out()),
                      event);
       }},
      {"clWaitForEvents",
       [](World& w) {
         return clWaitForEvents(static_cast<cl_uint>(w.many.size()), w.many.data());
       }},
      {"clFinish", [](World& w) { return clFinish(w.any_order); }},
  };
}

void expect_right(World& w, const std::string& when) {
  const cl_int zero = 0;
  check(clEnqueueFillBuffer(w.queue, w.buffer, &zero, 4, 0, 1 << 16, 0, nullptr, nullptr), "fill");
  run(w.queue, w.plain, {{4096}, {64}, {}});
  run(w.queue, w.tiled, {{4096}, {64}, {}});
  const auto values = read<cl_int>(w.queue, w.buffer, 4096);
  for (int i = 0; i != 4096; ++i)
    if (values[static_cast<size_t>(i)] != i / 64 * 64 + 63 - i % 64)
      return expect(false, "later results " + when);
}

// Takes the free blocks of the pools, so that the next commands allocate memory.
void drain_pools(World& w) {
  const size_t size = 64;
  const cl_int pattern = 3;
  const auto* gate = w.gate.address();
  int value = 0;
  for (int i = 0; i != 3; ++i) {
    for (cl_kernel kernel : {w.plain.get(), w.tiled.get(), w.printing.get()})
      check(clEnqueueNDRangeKernel(w.held, kernel, 1, nullptr, &size, &size, 1, gate, nullptr),
            "held kernel");
    check(clEnqueueFillBuffer(w.held, w.other, &pattern, 4, 0, 4096, 1, gate, nullptr), "fill");
    check(clEnqueueWriteBuffer(w.held, w.other, CL_FALSE, 0, 64, w.host.data(), 1, gate, nullptr),
          "held write");
    check(clEnqueueCopyBuffer(w.held, w.other, w.other, 0, 64, 64, 1, gate, nullptr), "copy");
    check(clEnqueueCopyBufferRect(w.held, w.buffer, w.other, kOrigin.data(), kOrigin.data(),
                                  kRegion.data(), 64, 512, 64, 512, 1, gate, nullptr),
          "held copy of a rectangle");
    check(clEnqueueNativeKernel(
              w.held, [](void*) {}, &value, sizeof value, 0, nullptr, nullptr, 1, gate, nullptr),
          "held native kernel");
    check(clEnqueueMarkerWithWaitList(w.held, 1, gate, nullptr), "held marker");
  }
}

// Repeats the call with each allocation failing in turn, until none fails. From that allocation on
// `many` fail.
void try_all(World& w, const Case& c, bool many, Threads threads) {
  long failures_seen = 0;
  for (long n = 0;; ++n) {
    const auto what = std::string(c.name) + " without allocation " + std::to_string(n) +
                      (many ? " and later ones" : "") +
                      (threads == Threads::all ? " in any thread" : "");
    drain_pools(w);
    failing_allocator::arm(n, many ? LONG_MAX : 1, threads);
    cl_int status = CL_OUT_OF_HOST_MEMORY;
    try {
      status = c.call(w);
    } catch (const std::exception&) { // the program's own memory
    }
    const auto failed = failing_allocator::disarm(); // perhaps for the second time
    if (failed == 0) {
      expect_status(status, CL_SUCCESS, what);
      break;
    }
    ++failures_seen;
    if (status != CL_SUCCESS && !is_memory_error(status))
      expect_status(status, CL_OUT_OF_HOST_MEMORY, what);
    if (threads == Threads::all)
      check(clFinish(w.queue), "clFinish");
    if (n % 8 == 0)
      expect_right(w, "after " + what);
    if (n == kMaxAllocations)
      return expect(false, what + ": no end");
  }
  expect_right(w, std::string("after ") + c.name);
  if (std::getenv("HEDDLE_TEST_VERBOSE"))
    std::fprintf(stderr, "%-50s %ld failures\n", c.name, failures_seen);
}

// A new process in which an early allocation fails, for objects that are created only once.
int first_calls(long n, bool many) {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  // The loader has found the driver, and the driver has read the hardware's properties.
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  if (!failing_allocator::find_driver())
    return 77;
  // Not those of the compiling thread.
  failing_allocator::arm(n, many ? LONG_MAX : 1, Threads::own);
  const auto status = [&] {
    cl_int status = clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr);
    if (status != CL_SUCCESS)
      return status;
    Context context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status));
    if (status != CL_SUCCESS)
      return status;
    Queue queue(clCreateCommandQueueWithProperties(context, device, nullptr, &status));
    if (status != CL_SUCCESS)
      return status;
    const char* source = kSource;
    Program program(clCreateProgramWithSource(context, 1, &source, nullptr, &status));
    if (status != CL_SUCCESS)
      return status;
    Buffer buffer(clCreateBuffer(context, 0, 4096, nullptr, &status));
    if (status != CL_SUCCESS)
      return status;
    const cl_int one = 1;
    status = clEnqueueFillBuffer(queue, buffer, &one, 4, 0, 4096, 0, nullptr, nullptr);
    if (status == CL_SUCCESS)
      status = clBuildProgram(program, 1, &device, "", nullptr, nullptr);
    if (status != CL_SUCCESS)
      return status;
    Kernel kernel(clCreateKernel(program, "tiled", &status));
    if (status == CL_SUCCESS)
      status = set_arg(kernel, 0, buffer);
    if (status == CL_SUCCESS)
      status = set_arg(kernel, 1, Local{256});
    if (status != CL_SUCCESS)
      return status;
    Event event;
    const size_t size = 64;
    return ended(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, &size, 0, nullptr, event.out()),
        event);
  }();
  const auto failed = failing_allocator::disarm();
  if (status != CL_SUCCESS && !is_memory_error(status)) {
    std::fprintf(stderr, "wrong: first calls without allocation %ld gave %d\n", n, status);
    return 1;
  }
  Session session;
  expect_works(session, "after the first calls went without memory");
  return failures ? 1 : failed ? 0 : 2;
}

void try_first_calls(bool many) {
  for (long n = 0; n != kMaxAllocations; ++n) {
    const auto child = run_self({"--first", std::to_string(n), many ? "many" : "one"});
    const int code = WIFEXITED(child.status) ? WEXITSTATUS(child.status) : -1;
    if (code == 2)
      return;
    expect(code == 0, "the first calls without allocation " + std::to_string(n) +
                          (many ? " and later ones" : "") + " ended with status " +
                          std::to_string(child.status));
  }
}

void body() {
  World w;
  if (!failing_allocator::find_driver())
    std::exit(77);
  w.program = build(w.context, kSource);
  if (info<cl_uint>(device(), CL_DEVICE_MAX_ON_DEVICE_QUEUES) != 0) {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                                                  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                              0};
    cl_int status = 1;
    w.on_device =
        Queue(clCreateCommandQueueWithProperties(w.context, device(), properties, &status));
    check(status, "clCreateCommandQueueWithProperties");
    w.enqueuing = make_kernel(build(w.context, kEnqueuingSource, "-cl-std=CL3.0"), "enqueuing");
    set_args(w.enqueuing, w.other);
  }
  { // into the cache
    const auto program = make_program(w.context, kSource);
    const auto d = device();
    check(clCompileProgram(program, 1, &d, "", 0, nullptr, nullptr, nullptr, nullptr), "compile");
    cl_int linked = 1;
    const Program other(
        clLinkProgram(w.context, 1, &d, "", 1, program.address(), nullptr, nullptr, &linked));
    check(linked, "clLinkProgram");
  }
  w.plain = make_kernel(w.program, "plain");
  const auto objects = build(w.context, kObjectSource, kObjectOptions); // to the cache
  const auto first = make_kernel(objects, "k");
  set_args(first, w.other);
  run(w.queue, first, {{1}, {1}, {}});
  w.tiled = make_kernel(w.program, "tiled");
  w.printing = make_kernel(w.program, "printing");
  set_args(w.plain, w.buffer);
  set_args(w.tiled, w.buffer, Local{256});
  set_args(w.printing, w.buffer);
  for (int i = 0; i != 40; ++i) {
    w.done.emplace_back();
    check(clEnqueueMarkerWithWaitList(w.queue, 0, nullptr, w.done.back().out()), "marker");
    w.many.push_back(w.done.back());
  }
  check(clFinish(w.queue), "clFinish");
  cl_int status = 1;
  w.gate = Event(clCreateUserEvent(w.context, &status));
  check(status, "clCreateUserEvent");
  expect_right(w, "at the start");
  for (const auto& c : object_cases())
    for (const bool many : {false, true})
      try_all(w, c, many, Threads::own);
  for (const auto& c : image_cases())
    for (const bool many : {false, true})
      try_all(w, c, many, Threads::own);
  for (const auto& c : command_cases())
    for (const bool many : {false, true})
      for (const auto threads : {Threads::own, Threads::all})
        try_all(w, c, many, threads);
  check(clSetUserEventStatus(w.gate, CL_COMPLETE), "clSetUserEventStatus");
  check(clFinish(w.held), "clFinish of what was held");
  for (const bool many : {false, true})
    try_first_calls(many);
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--first") == 0)
    return first_calls(std::atol(argv[2]), std::strcmp(argv[3], "many") == 0);
  return run_program(body);
}
