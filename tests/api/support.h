// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test support that uses only the public API and the ICD loader: owned handles, building programs,
// running kernels. Unexpected errors throw std::runtime_error, which GoogleTest reports as a test
// failure.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <string>
#include <utility>
#include <vector>

namespace heddle::test {

inline void release(cl_context h) { clReleaseContext(h); }
inline void release(cl_command_queue h) { clReleaseCommandQueue(h); }
inline void release(cl_mem h) { clReleaseMemObject(h); }
inline void release(cl_program h) { clReleaseProgram(h); }
inline void release(cl_kernel h) { clReleaseKernel(h); }
inline void release(cl_event h) { clReleaseEvent(h); }
inline void release(cl_device_id h) { clReleaseDevice(h); }
inline void release(cl_sampler h) { clReleaseSampler(h); }

// Owns a handle and converts to it.
template <class T>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() { reset(); }
  operator T() const { return handle_; }
  T get() const { return handle_; }
  const T* address() const { return &handle_; }
  // The address for a call that creates a handle.
  T* out() {
    reset();
    return &handle_;
  }
  T leak() { return std::exchange(handle_, nullptr); }
  void reset() {
    if (handle_)
      release(std::exchange(handle_, nullptr));
  }

 private:
  T handle_ = nullptr;
};

using Context = Owned<cl_context>;
using Queue = Owned<cl_command_queue>;
using Buffer = Owned<cl_mem>;
using Program = Owned<cl_program>;
using Kernel = Owned<cl_kernel>;
using Event = Owned<cl_event>;
using Device = Owned<cl_device_id>;
using Sampler = Owned<cl_sampler>;

// The driver under test: the first platform of the loader with a CPU device.
cl_platform_id platform();
cl_device_id device();

using Notify = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);

void check(cl_int status, const char* what);
Context make_context(Notify notify = nullptr, void* user_data = nullptr);
Queue make_queue(cl_context context, cl_command_queue_properties properties = 0);
Buffer make_buffer(cl_context context, size_t bytes, const void* contents = nullptr,
                   cl_mem_flags flags = CL_MEM_READ_WRITE);
Buffer make_part(cl_mem buffer, size_t origin, size_t bytes); // a sub-buffer
Program make_program(cl_context context, const std::string& source);
// Throws with the build log when the build fails.
Program build(cl_context context, const std::string& source, const char* options = "");
std::string build_log(cl_program program);
Kernel make_kernel(cl_program program, const char* name);
cl_int event_status(cl_event event);
cl_ulong profiling(cl_event event, cl_profiling_info name);

template <class T>
T info(cl_device_id device, cl_device_info name) {
  T value{};
  check(clGetDeviceInfo(device, name, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}
std::string device_text(cl_device_info name);
bool has_fp64();

// A __local argument of a kernel.
struct Local {
  size_t bytes;
};

inline cl_int set_arg(cl_kernel kernel, cl_uint index, const Buffer& buffer) {
  return clSetKernelArg(kernel, index, sizeof(cl_mem), buffer.address());
}
inline cl_int set_arg(cl_kernel kernel, cl_uint index, Local local) {
  return clSetKernelArg(kernel, index, local.bytes, nullptr);
}
template <class T>
cl_int set_arg(cl_kernel kernel, cl_uint index, const T& value) {
  return clSetKernelArg(kernel, index, sizeof value, &value);
}
template <class... Arguments>
void set_args(cl_kernel kernel, const Arguments&... arguments) {
  cl_uint index = 0;
  (check(set_arg(kernel, index++, arguments), "clSetKernelArg"), ...);
}

// An ND-range; an empty local size leaves it to the driver.
struct Range {
  std::vector<size_t> global;
  std::vector<size_t> local;
  std::vector<size_t> offset;
};

cl_int enqueue(cl_command_queue queue, cl_kernel kernel, const Range& range,
               cl_event* event = nullptr, const std::vector<cl_event>& waits = {});
// Enqueues and finishes; throws if the command failed.
void run(cl_command_queue queue, cl_kernel kernel, const Range& range);

template <class T>
std::vector<T> read(cl_command_queue queue, cl_mem buffer, size_t count, size_t first = 0) {
  std::vector<T> values(count);
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, first * sizeof(T), count * sizeof(T),
                            values.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return values;
}

// Builds `source`, runs its kernel k(global Out* out, global const In*...) and returns `out`, which
// is initially zero.
template <class Out, class... In>
std::vector<Out> compute(const std::string& source, const char* options, const Range& range,
                         size_t out_count, const std::vector<In>&... inputs) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, source, options);
  const auto kernel = make_kernel(program, "k");
  const std::vector<Out> zeros(out_count);
  const auto out = make_buffer(context, out_count * sizeof(Out), zeros.data());
  std::vector<Buffer> buffers;
  (buffers.push_back(make_buffer(context, inputs.size() * sizeof(In), inputs.data())), ...);
  check(set_arg(kernel, 0, out), "clSetKernelArg");
  for (cl_uint i = 0; i != buffers.size(); ++i)
    check(set_arg(kernel, i + 1, buffers[i]), "clSetKernelArg");
  run(queue, kernel, range);
  return read<Out>(queue, out, out_count);
}

// Runs one GoogleTest test or argument in a child process of this program; returns its output and
// exit status.
struct ChildResult {
  int status; // as waitpid gives it
  std::string output;
};
ChildResult run_self(const std::vector<std::string>& arguments);

} // namespace heddle::test
