// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/api/support.h"

#include <cstdlib>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::test {
namespace {

struct Driver {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
};

Driver find_driver() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0)
    throw std::runtime_error("the loader shows no platform; is OCL_ICD_VENDORS set?");
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  for (const auto platform : platforms) {
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS)
      return {platform, device};
  }
  throw std::runtime_error("no platform has a CPU device");
}

const Driver& driver() {
  static const Driver instance = find_driver();
  return instance;
}

} // namespace

cl_platform_id platform() { return driver().platform; }
cl_device_id device() { return driver().device; }

void check(cl_int status, const char* what) {
  if (status != CL_SUCCESS)
    throw std::runtime_error(std::string(what) + " gave " + std::to_string(status));
}

Context make_context(Notify notify, void* user_data) {
  cl_int status = CL_SUCCESS;
  const auto chosen = device();
  Context context(clCreateContext(nullptr, 1, &chosen, notify, user_data, &status));
  check(status, "clCreateContext");
  return context;
}

Queue make_queue(cl_context context, cl_command_queue_properties properties) {
  cl_int status = CL_SUCCESS;
  Queue queue(clCreateCommandQueue(context, device(), properties, &status));
  check(status, "clCreateCommandQueue");
  return queue;
}

Buffer make_buffer(cl_context context, size_t bytes, const void* contents, cl_mem_flags flags) {
  cl_int status = CL_SUCCESS;
  if (contents && !(flags & CL_MEM_USE_HOST_PTR))
    flags |= CL_MEM_COPY_HOST_PTR;
  Buffer buffer(clCreateBuffer(context, flags, bytes, const_cast<void*>(contents), &status));
  check(status, "clCreateBuffer");
  return buffer;
}

Buffer make_part(cl_mem buffer, size_t origin, size_t bytes) {
  const cl_buffer_region region{origin, bytes};
  cl_int status = CL_SUCCESS;
  Buffer part(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
  check(status, "clCreateSubBuffer");
  return part;
}

Program make_program(cl_context context, const std::string& source) {
  cl_int status = CL_SUCCESS;
  const char* text = source.data();
  const size_t length = source.size();
  Program program(clCreateProgramWithSource(context, 1, &text, &length, &status));
  check(status, "clCreateProgramWithSource");
  return program;
}

std::string build_log(cl_program program) {
  size_t size = 0;
  check(clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &size),
        "clGetProgramBuildInfo");
  std::string log(size, '\0');
  check(clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr),
        "clGetProgramBuildInfo");
  while (!log.empty() && log.back() == '\0')
    log.pop_back();
  return log;
}

Program build(cl_context context, const std::string& source, const char* options) {
  auto program = make_program(context, source);
  const auto status = clBuildProgram(program, 0, nullptr, options, nullptr, nullptr);
  if (status != CL_SUCCESS)
    throw std::runtime_error("clBuildProgram gave " + std::to_string(status) + ":\n" +
                             build_log(program));
  return program;
}

Kernel make_kernel(cl_program program, const char* name) {
  cl_int status = CL_SUCCESS;
  Kernel kernel(clCreateKernel(program, name, &status));
  check(status, "clCreateKernel");
  return kernel;
}

cl_int event_status(cl_event event) {
  cl_int value = 0;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value, nullptr),
        "clGetEventInfo");
  return value;
}

cl_ulong profiling(cl_event event, cl_profiling_info name) {
  cl_ulong value = 0;
  check(clGetEventProfilingInfo(event, name, sizeof value, &value, nullptr),
        "clGetEventProfilingInfo");
  return value;
}

std::string device_text(cl_device_info name) {
  size_t size = 0;
  check(clGetDeviceInfo(device(), name, 0, nullptr, &size), "clGetDeviceInfo");
  std::string text(size, '\0');
  check(clGetDeviceInfo(device(), name, size, text.data(), nullptr), "clGetDeviceInfo");
  return text.c_str();
}

bool has_fp64() { return info<cl_device_fp_config>(device(), CL_DEVICE_DOUBLE_FP_CONFIG) != 0; }

cl_int enqueue(cl_command_queue queue, cl_kernel kernel, const Range& range, cl_event* event,
               const std::vector<cl_event>& waits) {
  return clEnqueueNDRangeKernel(
      queue, kernel, static_cast<cl_uint>(range.global.size()),
      range.offset.empty() ? nullptr : range.offset.data(), range.global.data(),
      range.local.empty() ? nullptr : range.local.data(), static_cast<cl_uint>(waits.size()),
      waits.empty() ? nullptr : waits.data(), event);
}

void run(cl_command_queue queue, cl_kernel kernel, const Range& range) {
  Event event;
  check(enqueue(queue, kernel, range, event.out()), "clEnqueueNDRangeKernel");
  check(clWaitForEvents(1, event.address()), "clWaitForEvents");
}

ChildResult run_self(const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe(ends) != 0)
    throw std::runtime_error("pipe failed");
  std::vector<std::string> words{"/proc/self/exe"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  ChildResult result{};
  char block[4096];
  for (ssize_t got; (got = ::read(ends[0], block, sizeof block)) > 0;)
    result.output.append(block, static_cast<size_t>(got));
  close(ends[0]);
  waitpid(child, &result.status, 0);
  return result;
}

} // namespace heddle::test
