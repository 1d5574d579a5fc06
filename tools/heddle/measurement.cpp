// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/measurement.h"

#include "tools/heddle/installation.h"

#include <cstdlib>

namespace heddle {
namespace {

Driver open_for_measuring() {
  for (const char* name :
       {"HEDDLE_PROFILE", "HEDDLE_TRACE", "HEDDLE_CHECK", "HEDDLE_WIDTH", "HEDDLE_ROWS",
        "HEDDLE_BARRIERS", "HEDDLE_DISJOINT", "HEDDLE_SKIP", "HEDDLE_MIX"})
    unsetenv(name);
  setenv("HEDDLE_PLAIN_WORK", "0", 1);
  setenv("HEDDLE_TUNE", "off", 1);
  const auto& own = command::installation();
  if (own.driver.empty())
    throw DriverFailure{"the driver is not where this command expects it"};
  return open_driver(own.driver);
}

} // namespace

Measurement::Measurement(const char* source) : driver_(open_for_measuring()) {
  auto& call = *driver_.functions;
  check(call.clGetDeviceIDs(driver_.platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr),
        "clGetDeviceIDs");
  check(call.clGetDeviceInfo(device_, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units_, &units_, nullptr),
        "clGetDeviceInfo");
  cl_int status = CL_SUCCESS;
  context_ = call.clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  queue_ = call.clCreateCommandQueueWithProperties(context_, device_, properties, &status);
  check(status, "clCreateCommandQueueWithProperties");
  program_ = call.clCreateProgramWithSource(context_, 1, &source, nullptr, &status);
  check(status, "clCreateProgramWithSource");
  check(call.clBuildProgram(program_, 1, &device_, "", nullptr, nullptr), "clBuildProgram");
}

cl_ulong Measurement::cache_bytes() const {
  cl_ulong bytes = 0;
  check(driver_.functions->clGetDeviceInfo(device_, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof bytes,
                                           &bytes, nullptr),
        "clGetDeviceInfo");
  return bytes;
}

cl_mem Measurement::buffer(std::size_t bytes) const {
  cl_int status = CL_SUCCESS;
  auto* memory =
      driver_.functions->clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &status);
  check(status, "clCreateBuffer");
  return memory;
}

void Measurement::read(cl_mem from, void* to, std::size_t bytes) const {
  check(driver_.functions->clEnqueueReadBuffer(queue_, from, CL_TRUE, 0, bytes, to, 0, nullptr,
                                               nullptr),
        "clEnqueueReadBuffer");
}

cl_kernel Measurement::make_kernel(const char* name) const {
  cl_int status = CL_SUCCESS;
  auto* kernel = driver_.functions->clCreateKernel(program_, name, &status);
  check(status, "clCreateKernel");
  return kernel;
}

double Measurement::best_time(cl_kernel kernel, std::size_t items, int runs) const {
  constexpr std::size_t kGroup = 64;
  auto& call = *driver_.functions;
  double best = 0;
  for (int i = 0; i < runs; ++i) {
    cl_event event = nullptr;
    check(call.clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, &kGroup, 0, nullptr,
                                      &event),
          "clEnqueueNDRangeKernel");
    check(call.clWaitForEvents(1, &event), "clWaitForEvents");
    cl_ulong start = 0, end = 0;
    check(call.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                       nullptr),
          "clGetEventProfilingInfo");
    check(call.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
          "clGetEventProfilingInfo");
    check(call.clReleaseEvent(event), "clReleaseEvent");
    const auto seconds = static_cast<double>(end - start) * 1e-9;
    if (i == 1 || (i > 1 && seconds < best))
      best = seconds;
  }
  return best;
}

} // namespace heddle
