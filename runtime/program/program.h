// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_program (OpenCL API 5.8).
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/lock.h"
#include "runtime/core/object.h"
#include "runtime/core/result.h"
#include "runtime/program/build_options.h"
#include "runtime/program/compiler_host.h"
#include "runtime/program/loaded_program.h"
#include "runtime/program/program_file.h"

#include <CL/cl.h>

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle {

class IntermediateLanguage;

class Program final : public Object {
 public:
  static constexpr Kind kKind = Kind::program;
  using Notify = void(CL_CALLBACK*)(cl_program, void*);

  enum class Origin { source, binary, link, il };

  Program(Context& context, std::string source);
  Program(Context& context, std::unique_ptr<IntermediateLanguage> il);
  ~Program() override;
  // From binaries, one per device, or the result of a link.
  Program(Context& context, Origin origin, std::span<Device* const> devices);

  // A header for clCompileProgram: its include name, and a program whose source it is.
  struct Header {
    std::string name;
    Ref<Program> program;
  };

  Context& context() const { return *context_; }
  std::span<const ParentRef<Device>> devices() const { return devices_; }
  bool has(const Device* device) const;
  const std::string& source() const { return source_; }
  Origin origin() const { return origin_; }
  // Of programs in intermediate language; null for others.
  IntermediateLanguage* il() const { return il_.get(); }
  // A program with attached kernels cannot be built again.
  unsigned attached_kernels() const { return kernels_.load(std::memory_order_relaxed); }
  void attach_kernel() { kernels_.fetch_add(1, std::memory_order_relaxed); }
  void detach_kernel() { kernels_.fetch_sub(1, std::memory_order_relaxed); }

  // Loads a binary for one device: CL_INVALID_BINARY if it is damaged, of another version or for
  // another CPU.
  cl_int load_binary(const Device& device, std::span<const std::byte> bytes);
  // Whether there is an executable for the device, loaded or built.
  bool has_binary(const Device& device) const;
  // The program for the device as clGetProgramInfo returns it, with all of its kernels built; empty
  // if there is none.
  std::vector<std::byte> binary(const Device& device) const;
  // The log of the build for the device, and of those builds of kernels that failed.
  std::string log(const Device& device) const;
  // Marks the devices as being built; CL_INVALID_OPERATION if one already is, or if kernels are
  // attached.
  cl_int begin(std::span<Device* const> devices, const std::string& options);
  // Ends the build that begin() started with an error of the options, which becomes the log;
  // returns `error`.
  cl_int refuse(std::span<Device* const> devices, const std::string& why, cl_int error);
  // Ends the build that begin() started when memory is exhausted.
  void abandon(std::span<Device* const> devices) noexcept;
  // Executes the build after begin(), for programs with source, IL or has_binary(). Returns
  // CL_SUCCESS or CL_BUILD_PROGRAM_FAILURE / CL_COMPILE_PROGRAM_FAILURE / CL_LINK_PROGRAM_FAILURE.
  cl_int build(std::span<Device* const> devices, const BuildOptions& options);
  cl_int compile(std::span<Device* const> devices, const BuildOptions& options,
                 std::span<const Header> headers);
  cl_int link(std::span<Device* const> devices, const BuildOptions& options,
              std::span<const Ref<Program>> inputs);

  struct State {
    cl_build_status status = CL_BUILD_NONE;
    std::string options;
    std::string log;
    std::shared_ptr<const ProgramFile> file;
    Ref<LoadedProgram> loaded; // of executables
  };
  // A copy of the state of one of devices(); for a sub-device without a build that of its nearest
  // ancestor (OpenCL API 5.8.2).
  State state(const Device& device) const;
  // The executable for the device, or null if there is none.
  Ref<LoadedProgram> loaded(const Device& device) const;
  // Whether the local size need not divide the global size (OpenCL C 2.0 and later without
  // -cl-uniform-work-group-size).
  bool allows_non_uniform_groups() const;

 private:
  State& state_of(const Device& device) HEDDLE_REQUIRES(mutex_);
  const State& state_of(const Device& device) const HEDDLE_REQUIRES(mutex_) HEDDLE_NOT_ANALYZED {
    return const_cast<Program*>(this)->state_of(device);
  }
  cl_int finish(std::span<Device* const> devices, State result, cl_int failure);
  // What a build compiles: the source, or the module with the values of its constants as they are.
  CompileRequest request() const;
  bool may_be_non_uniform(const BuildOptions& options) const;
  // Builds the request, with the cache.
  State make(CompileRequest request, const BuildOptions& options, ProgramKind kind,
             bool allows_non_uniform_groups);

  ParentRef<Context> context_;
  std::vector<ParentRef<Device>> devices_;
  const std::string source_;
  const std::unique_ptr<IntermediateLanguage> il_;
  const Origin origin_;
  std::atomic<unsigned> kernels_{0};
  mutable SleepingMutex mutex_;
  std::vector<State> states_ HEDDLE_GUARDED_BY(mutex_); // parallel to devices_
};

} // namespace heddle
