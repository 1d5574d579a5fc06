// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clSetKernelExecInfo says of the memory that a kernel uses beside its arguments (OpenCL API
// 5.9.2, cl_intel_unified_shared_memory, cl_khr_unified_svm, cl_ext_buffer_device_address).
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

// Kernels reach all memory whatever they are told: it is kept for kernels with memory checks, and
// for clones.
class ExecInfo {
 public:
  // CL_INVALID_VALUE for names that are not known and sizes and values that do not fit them. Throws
  // std::bad_alloc.
  cl_int set(cl_kernel_exec_info name, std::size_t size, const void* value);

  // Whether the program has said that the kernel uses memory of the host's own, which is also what
  // holds if it has said nothing.
  bool asks_for_system() const { return system_ == Setting::yes; }

 private:
  enum class Setting : std::uint8_t { unset, no, yes };
  using Pointers = std::vector<std::uint64_t>;

  static cl_int set_flag(Setting& flag, std::size_t size, const void* value);
  static cl_int set_pointers(Pointers& pointers, std::size_t size, const void* value);

  Setting system_ = Setting::unset;
  Setting host_ = Setting::unset;
  Setting device_ = Setting::unset;
  Setting shared_ = Setting::unset;
  Setting svm_indirect_ = Setting::unset;
  Pointers svm_;
  Pointers usm_;
  Pointers buffers_;
};

} // namespace heddle
