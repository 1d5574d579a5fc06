// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_semaphore and cl_khr_external_semaphore for programs, whatever the headers declare: the
// functions of the driver, asked for by name. Constants have the names of the specification without
// CL_ and _KHR.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace semaphores {

using Handle = struct OpaqueSemaphore*;
using Properties = std::vector<cl_properties>;

constexpr cl_int INVALID_SEMAPHORE = -1142;
constexpr cl_uint TYPE_BINARY = 1;
constexpr cl_uint PLATFORM_TYPES = 0x2036, DEVICE_TYPES = 0x204C;
constexpr cl_uint INFO_CONTEXT = 0x2039, INFO_REFERENCE_COUNT = 0x203A, INFO_PROPERTIES = 0x203B,
                  INFO_PAYLOAD = 0x203C;
constexpr cl_uint TYPE = 0x203D, DEVICE_HANDLE_LIST = 0x2053;
// cl_khr_external_semaphore
constexpr cl_uint PLATFORM_IMPORT_TYPES = 0x2037, PLATFORM_EXPORT_TYPES = 0x2038,
                  DEVICE_IMPORT_TYPES = 0x204D, DEVICE_EXPORT_TYPES = 0x204E;
constexpr cl_uint EXPORT_TYPES = 0x203F, INFO_EXPORTABLE = 0x2054;
constexpr cl_uint HANDLE_OPAQUE_FD = 0x2055, HANDLE_SYNC_FD = 0x2058;
constexpr cl_command_type COMMAND_WAIT = 0x2042, COMMAND_SIGNAL = 0x2043;

struct Api {
  explicit Api(cl_platform_id platform) {
    find(platform, create, "clCreateSemaphoreWithPropertiesKHR");
    find(platform, retain, "clRetainSemaphoreKHR");
    find(platform, release, "clReleaseSemaphoreKHR");
    find(platform, wait, "clEnqueueWaitSemaphoresKHR");
    find(platform, signal, "clEnqueueSignalSemaphoresKHR");
    find(platform, info, "clGetSemaphoreInfoKHR");
    find(platform, handle, "clGetSemaphoreHandleForTypeKHR");
    find(platform, reimport, "clReImportSemaphoreSyncFdKHR");
  }
  bool is_complete() const { return create && retain && release && wait && signal && info; }

  using Enqueue = cl_int(CL_API_CALL*)(cl_command_queue, cl_uint, const Handle*, const cl_ulong*,
                                       cl_uint, const cl_event*, cl_event*);
  Handle(CL_API_CALL* create)(cl_context, const cl_properties*, cl_int*) = nullptr;
  cl_int(CL_API_CALL* retain)(Handle) = nullptr;
  cl_int(CL_API_CALL* release)(Handle) = nullptr;
  Enqueue wait = nullptr;
  Enqueue signal = nullptr;
  cl_int(CL_API_CALL* info)(Handle, cl_uint, size_t, void*, size_t*) = nullptr;

  // Null without cl_khr_external_semaphore.
  cl_int(CL_API_CALL* handle)(Handle, cl_device_id, cl_uint, size_t, void*, size_t*) = nullptr;
  // Null without cl_khr_external_semaphore_sync_fd.
  cl_int(CL_API_CALL* reimport)(Handle, cl_properties*, int) = nullptr;

  template <class Function>
  static void find(cl_platform_id platform, Function& function, const char* name) {
    function = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
  }
};

// Owns a semaphore.
class Semaphore {
 public:
  Semaphore(const Api& api, Handle handle) : api_(&api), handle_(handle) {}
  Semaphore(Semaphore&& other) noexcept
      : api_(other.api_), handle_(std::exchange(other.handle_, nullptr)) {}
  Semaphore& operator=(Semaphore&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Semaphore() { reset(); }
  void reset() {
    if (handle_)
      api_->release(std::exchange(handle_, nullptr));
  }
  operator Handle() const { return handle_; }
  const Handle* ptr() const { return &handle_; }

 private:
  const Api* api_;
  Handle handle_;
};

// Of an attempt to create one, which is released. Another code if handle and error contradict each
// other.
inline cl_int error_of(const Api& api, cl_context context, const Properties& list) {
  constexpr cl_int kContradiction = 1;
  cl_int error = CL_SUCCESS;
  const Semaphore made(api, api.create(context, list.data(), &error));
  return (made == nullptr) == (error != CL_SUCCESS) ? error : kContradiction;
}

inline cl_properties property(const void* handle) {
  return reinterpret_cast<cl_properties>(handle);
}

} // namespace semaphores
