// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common code of all programs: the device under test, owned handles, typed queries and building of
// kernels.
//
// The device is the default one of the loader's first platform, so OCL_ICD_VENDORS selects the
// driver. CONFORMANCE_DEVICE=N selects the N-th device of that platform instead.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// The part of the specification for the checks until the end of the block.
#define SPEC(title) SCOPED_TRACE(title)

#define ASSERT_CL(call) ASSERT_EQ(call, CL_SUCCESS)
#define EXPECT_CL(call) EXPECT_EQ(call, CL_SUCCESS)

namespace conformance {

// Owns one reference to a handle.
template <class T, cl_int(CL_API_CALL* Release)(T)>
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
  void reset() {
    if (handle_)
      Release(std::exchange(handle_, nullptr));
  }
  T get() const { return handle_; }
  operator T() const { return handle_; }
  // For functions that return a handle through a pointer.
  T* out() {
    reset();
    return &handle_;
  }
  const T* ptr() const { return &handle_; }

 private:
  T handle_ = nullptr;
};

using Context = Owned<cl_context, clReleaseContext>;
using Queue = Owned<cl_command_queue, clReleaseCommandQueue>;
using Memory = Owned<cl_mem, clReleaseMemObject>;
using Program = Owned<cl_program, clReleaseProgram>;
using Kernel = Owned<cl_kernel, clReleaseKernel>;
using Event = Owned<cl_event, clReleaseEvent>;

// A fixed-size value from a clGet*Info function; the size must be that of the type.
template <class T, class Object, class Name>
T info(cl_int(CL_API_CALL* query)(Object, Name, size_t, void*, size_t*), Object object,
       std::type_identity_t<Name> name) {
  T value{};
  size_t size = 0;
  EXPECT_EQ(query(object, name, sizeof value, &value, &size), CL_SUCCESS)
      << "query 0x" << std::hex << name;
  EXPECT_EQ(size, sizeof value) << "size of query 0x" << std::hex << name;
  return value;
}

// All elements of an array from a clGet*Info function.
template <class T, class Object, class Name>
std::vector<T> info_array(cl_int(CL_API_CALL* query)(Object, Name, size_t, void*, size_t*),
                          Object object, std::type_identity_t<Name> name) {
  size_t size = 0;
  EXPECT_EQ(query(object, name, 0, nullptr, &size), CL_SUCCESS) << "query 0x" << std::hex << name;
  EXPECT_EQ(size % sizeof(T), 0u);
  std::vector<T> values(size / sizeof(T));
  if (size) {
    EXPECT_EQ(query(object, name, size, values.data(), nullptr), CL_SUCCESS);
  }
  return values;
}

// A string from a clGet*Info function, which must end in exactly one null character.
template <class Object, class Name>
std::string info_string(cl_int(CL_API_CALL* query)(Object, Name, size_t, void*, size_t*),
                        Object object, std::type_identity_t<Name> name) {
  std::vector<char> text = info_array<char>(query, object, name);
  if (text.empty() || text.back() != '\0') {
    ADD_FAILURE() << "query 0x" << std::hex << name << " does not end in a null character";
    return std::string(text.begin(), text.end());
  }
  EXPECT_EQ(std::string(text.data()).size() + 1, text.size()) << "query 0x" << std::hex << name;
  return text.data();
}

// The device that all tests use.
struct Target {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  int version = 0; // 120 for OpenCL 1.2

  static const Target& get() {
    static const Target target;
    return target;
  }

 private:
  Target() {
    cl_uint count = 0;
    if (clGetPlatformIDs(1, &platform, &count) != CL_SUCCESS || count == 0) {
      std::fputs("no OpenCL platform; OCL_ICD_VENDORS chooses one\n", stderr);
      std::exit(2);
    }
    cl_device_id devices[16] = {};
    const char* index = std::getenv("CONFORMANCE_DEVICE");
    const cl_device_type type = index ? CL_DEVICE_TYPE_ALL : CL_DEVICE_TYPE_DEFAULT;
    const unsigned wanted = index ? unsigned(std::atoi(index)) : 0;
    if (clGetDeviceIDs(platform, type, 16, devices, &count) != CL_SUCCESS || wanted >= count ||
        wanted >= 16) {
      std::fputs("the first OpenCL platform has no such device\n", stderr);
      std::exit(2);
    }
    device = devices[wanted];
    char text[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text, text, nullptr);
    int major = 0, minor = 0;
    if (std::sscanf(text, "OpenCL %d.%d", &major, &minor) == 2)
      version = major * 100 + minor * 10;
  }
};

inline bool has_word(const std::string& words, const std::string& word) {
  return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

inline bool has_extension(const std::string& name) {
  return has_word(info_string(clGetDeviceInfo, Target::get().device, CL_DEVICE_EXTENSIONS), name);
}

// A context and an in-order queue with profiling on the target device.
class DeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    cl_int error = CL_SUCCESS;
    context = Context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
    ASSERT_CL(error);
    queue = make_queue(CL_QUEUE_PROFILING_ENABLE);
    ASSERT_NE(queue.get(), nullptr);
  }

  Queue make_queue(cl_command_queue_properties properties) {
    cl_int error = CL_SUCCESS;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    Queue result(clCreateCommandQueue(context, device, properties, &error));
#pragma GCC diagnostic pop
    EXPECT_CL(error);
    return result;
  }

  Memory make_buffer(size_t size, cl_mem_flags flags = CL_MEM_READ_WRITE,
                     const void* host = nullptr) {
    cl_int error = CL_SUCCESS;
    Memory result(clCreateBuffer(context, flags, size, const_cast<void*>(host), &error));
    EXPECT_CL(error);
    return result;
  }

  template <class T>
  Memory make_buffer(const std::vector<T>& data) {
    return make_buffer(data.size() * sizeof(T), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       data.data());
  }

  template <class T>
  std::vector<T> read(cl_mem buffer, size_t count) {
    std::vector<T> data(count);
    EXPECT_CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), data.data(), 0,
                                  nullptr, nullptr));
    return data;
  }

  Program make_program(const std::string& source) {
    const char* text = source.c_str();
    cl_int error = CL_SUCCESS;
    Program program(clCreateProgramWithSource(context, 1, &text, nullptr, &error));
    EXPECT_CL(error);
    return program;
  }

  std::string build_log(cl_program program) {
    size_t size = 0;
    EXPECT_CL(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
    std::string log(size, '\0');
    EXPECT_CL(
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr));
    while (!log.empty() && log.back() == '\0')
      log.pop_back();
    return log;
  }

  Program build(const std::string& source, const char* options = "") {
    Program program = make_program(source);
    EXPECT_CL(clBuildProgram(program, 1, &device, options, nullptr, nullptr)) << build_log(program);
    return program;
  }

  // A kernel keeps its program alive (API, Retaining and Releasing Program Objects).
  Kernel make_kernel(cl_program program, const char* name) {
    cl_int error = CL_SUCCESS;
    Kernel kernel(clCreateKernel(program, name, &error));
    EXPECT_CL(error) << name;
    return kernel;
  }
  Kernel make_kernel(const std::string& source, const char* name, const char* options = "") {
    return make_kernel(build(source, options), name);
  }

  // Sets the arguments in order. Buffers are passed as Memory or cl_mem, local memory as
  // Local{bytes}.
  struct Local {
    size_t bytes;
  };
  template <class... Arguments>
  void set_arguments(cl_kernel kernel, const Arguments&... arguments) {
    cl_uint index = 0;
    (set_argument(kernel, index++, arguments), ...);
  }
  template <class T>
  void set_argument(cl_kernel kernel, cl_uint index, const T& value) {
    if constexpr (std::is_same_v<T, Local>) {
      EXPECT_CL(clSetKernelArg(kernel, index, value.bytes, nullptr)) << "argument " << index;
    } else if constexpr (std::is_same_v<T, Memory>) {
      EXPECT_CL(clSetKernelArg(kernel, index, sizeof(cl_mem), value.ptr())) << "argument " << index;
    } else
      EXPECT_CL(clSetKernelArg(kernel, index, sizeof value, &value)) << "argument " << index;
  }

  // Runs over an ND-range and waits. An empty `local` leaves the choice to the driver.
  void run(cl_kernel kernel, const std::vector<size_t>& global,
           const std::vector<size_t>& local = {}, const std::vector<size_t>& offset = {}) {
    ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, cl_uint(global.size()),
                                     offset.empty() ? nullptr : offset.data(), global.data(),
                                     local.empty() ? nullptr : local.data(), 0, nullptr, nullptr));
    ASSERT_CL(clFinish(queue));
  }

  size_t max_group_size(cl_kernel kernel) {
    size_t size = 0;
    EXPECT_CL(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size,
                                       &size, nullptr));
    return size;
  }

  const cl_device_id device = Target::get().device;
  const int version = Target::get().version;
  Context context;
  Queue queue;
};

} // namespace conformance
