// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_kernel (OpenCL API 5.9).
#pragma once

#include "runtime/core/mutex.h"
#include "runtime/core/object.h"
#include "runtime/core/result.h"
#include "runtime/core/spare_references.h"
#include "runtime/execution/kernel_launch.h"
#include "runtime/execution/work_group_size.h"
#include "runtime/program/argument_values.h"
#include "runtime/program/exec_info.h"
#include "runtime/program/loaded_program.h"
#include "runtime/program/program.h"

#include <CL/cl.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace heddle {

class Kernel final : public Object {
 public:
  static constexpr Kind kKind = Kind::kernel;

  // CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME, or CL_INVALID_KERNEL_DEFINITION if the
  // declarations differ between devices.
  static Result<Ref<Kernel>> create(Program& program, const std::string& name);
  // A copy with the same arguments (clCloneKernel).
  Result<Ref<Kernel>> clone();

  Program& program() const { return *program_; }
  const KernelDeclaration& declaration() const { return *loaded_programs_.front().declaration; }
  // Whether there is an executable for the device, or for a sub-device for its nearest ancestor
  // (OpenCL API 5.8.8).
  bool has(const Device& device) const { return find_loaded(device) != nullptr; }
  // Whether the device is valid for queries: it must also belong to the context.
  bool is_for(const Device& device) const {
    return program().context().has(&device) && has(device);
  }
  // The kernel as it is compiled for a device of has(); builds it if that has not been done.
  // CL_OUT_OF_RESOURCES, after a message to the context, if it cannot be built.
  Result<const KernelMetadata*> metadata(const Device& device) const;
  // The largest work-group for the device; waits for the kernel's build only if that may limit it.
  Result<std::size_t> max_group_size(const Device& device) const;
  // Static local memory and local arguments together.
  Result<std::uint64_t> local_bytes(const Device& device) const;
  // Whether the program cannot tell the size of sub-groups, and leaves it to the driver. Does not
  // wait for the kernel's build; false if only that tells.
  bool has_any_width(const Device& device) const;
  // KernelMetadata::has_swapped_dimensions of the unit, if it is built.
  bool has_swapped_dimensions(const Device& device) const;
  // CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE, CL_INVALID_ARG_SIZE, CL_INVALID_MEM_OBJECT, ...
  // (OpenCL API 5.9.2).
  cl_int set_argument(cl_uint index, std::size_t size, const void* value);
  // The errors of set_argument() and of set_pointer(), which then cannot fail but for memory.
  cl_int check_argument(cl_uint index, std::size_t size, const void* value) const;
  // What check_argument() has found valid.
  void set_checked_argument(cl_uint index, std::size_t size, const void* value);
  cl_int check_pointer(cl_uint index, bool or_constant) const;
  // Whether all have been set.
  bool has_all_arguments() const;
  // An address for a pointer to global memory, or, with `or_constant`, to constant; any is valid,
  // as long as the kernel does not use it. CL_INVALID_ARG_INDEX; CL_INVALID_ARG_VALUE for arguments
  // of other types.
  cl_int set_pointer(cl_uint index, const void* address, bool or_constant);
  // The program asks for what it needs to tune itself: launches that it measures wait for their
  // builds.
  void expect_tuning() noexcept { is_tuned_.store(true, std::memory_order_relaxed); }
  // clSetKernelExecInfo: CL_INVALID_VALUE.
  cl_int set_exec_info(cl_kernel_exec_info name, std::size_t size, const void* value);
  // The kernel will be launched with the current arguments and this range: what the launch would
  // wait for is built in the background. Throws std::bad_alloc.
  void expect_launch(const Device& device, const NDRange& range) const;
  // Makes `launch`, whose range is set, one with the current arguments; CL_INVALID_KERNEL_ARGS if
  // one was never set, CL_INVALID_PROGRAM_EXECUTABLE if there is no code for the device,
  // CL_INVALID_WORK_GROUP_SIZE if a group is too large, CL_OUT_OF_RESOURCES if local memory exceeds
  // the device's or the kernel cannot be built.
  cl_int capture(Device& device, KernelLaunch& launch);
  // As in ArgumentValues: of what a launch of this kernel has captured.
  void write_values(ArgumentBlock& captured) const;
  Ref<ArgumentBlock> copy_values(const ArgumentBlock& captured) const;

 private:
  struct ForDevice {
    Device* device; // kept by the program
    Ref<LoadedProgram> loaded;
    const KernelDeclaration* declaration;
    UnitTable* units;
  };
  Kernel(Program& program, std::vector<ForDevice> loaded_programs, const ArgumentValues& arguments,
         const ExecInfo& exec_info);
  ~Kernel() override;
  void on_user_released() noexcept override;
  void detach() noexcept;
  const ForDevice* find_loaded(const Device& device) const;
  std::uint64_t local_bytes(std::uint64_t static_bytes) const;
  Result<const Unit*> unit(const ForDevice& entry) const;
  // Whether the current arguments overlap nowhere where the unit relies on it.
  bool may_run(const KernelMetadata& unit) const;
  // Tells the context of a build that failed: once if a simple unit takes its place, and each time
  // if none does.
  void report(const ForDevice& entry, KernelUnits& units, bool is_built) const;
  double plain_time(const ForDevice& entry, const KernelLaunch& launch, const Unit& plain) const;
  profile::Launch profile_of(const ForDevice& entry, const KernelLaunch& launch) const;
  // What is known of a launch with the current arguments and this range.
  KernelUnits::Launch describe(const ForDevice& entry, const KernelLaunch& launch) const;
  // What the launch runs in these units where none is ready, as KernelUnits::begin(). `used`: where
  // it adds its time.
  UnitChoice begin(const ForDevice& entry, KernelUnits& units, KernelUnits::Launch launch,
                   const KernelLaunch& of, std::atomic<std::uint64_t>*& used) const;
  // What the launch runs.
  Result<UnitChoice> choose_unit(const ForDevice& entry, const KernelLaunch& launch,
                                 std::atomic<std::uint64_t>*& used) const;

  ParentRef<Program> program_;
  std::atomic<bool> attached_{true};             // counted by the program
  const std::vector<ForDevice> loaded_programs_; // not empty
  std::vector<SpareReferences> spare_;           // of these programs
  const bool has_pipes_;
  const bool has_images_;
  std::atomic<bool> is_tuned_{false};
  mutable Mutex mutex_;
  ArgumentValues arguments_ HEDDLE_GUARDED_BY(mutex_);
  ExecInfo exec_info_ HEDDLE_GUARDED_BY(mutex_);
};

} // namespace heddle
