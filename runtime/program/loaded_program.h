// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An executable program: its kernels, which are built one by one when they are needed, and its
// program-scope variables.
#pragma once

#include "compiler/interface/metadata.h"
#include "runtime/context/context.h"
#include "runtime/execution/kernel_table.h"
#include "runtime/program/global_objects.h"
#include "runtime/program/program_file.h"
#include "runtime/program/unit_table.h"

#include <CL/cl.h>

#include <memory>
#include <string>
#include <vector>

namespace heddle {

class LoadedProgram final : public KernelTable {
 public:
  // Of a file of kind `executable`. Null if its metadata is damaged; throws std::bad_alloc.
  static Ref<LoadedProgram> open(std::shared_ptr<const ProgramFile> file);

  // Kernels that the API knows; the blocks that they enqueue have the numbers behind.
  std::size_t kernel_count() const { return kernel_count_; }
  const KernelDeclaration& kernel(std::size_t index) const { return metadata_.kernels[index]; }
  UnitTable& units(std::size_t index) const { return *units_[index]; }
  // The number of the kernel of that name, or kernel_count().
  std::size_t find(const std::string& kernel) const;
  // Adds a unit of each kernel and block, which are built if that has not been done, on all compute
  // units; those that take long without optimizations (KernelUnits::start_for_binary).
  void store_in(std::vector<StoredUnit>& units) const;
  // Begins to build kernels that follow this one: who waits for the build of one usually asks for
  // them next, and leaves processors unused meanwhile. At most `count`, and none with images, whose
  // first launch knows more.
  void start_after(const UnitTable& units, std::size_t count) const;
  // Builds all kernels and blocks, on all compute units.
  void need_all() const { need_from(0); }
  // Builds all blocks.
  void need_blocks() const { need_from(kernel_count_); }
  // Nothing if it has not been built: kernels are not built on the stack of another one.
  Entry kernel_at(std::uint64_t index) const noexcept override;

  // Null: no object at program scope has a constructor or a destructor.
  GlobalObjects* global_objects() const noexcept { return global_objects_.get(); }
  // Constructs these objects if that has not been done. CL_OUT_OF_RESOURCES, after a message to the
  // context for the first caller, if they cannot be.
  cl_int construct_objects(const Context& context) const;

  // Of the program-scope variables; their block is null if there are none.
  bool has_constructors() const { return metadata_.has_initializer; }
  bool has_destructors() const { return metadata_.has_finalizer; }
  std::size_t program_scope_bytes() const { return metadata_.program_scope.size(); }
  std::byte* program_scope() const noexcept override { return program_scope_.get(); }
  void unlock_static_objects() const noexcept override;
  // The program-scope variable of that name, or null.
  const CheckedVariable* find_variable(const std::string& name) const;

 private:
  explicit LoadedProgram(ProgramMetadata metadata);
  void need_from(std::size_t first) const;

  void make_program_scope();

  struct Free {
    void operator()(std::byte* memory) const;
  };
  const ProgramMetadata metadata_;
  const std::size_t kernel_count_;
  std::vector<std::unique_ptr<UnitTable>> units_; // by kernel
  std::unique_ptr<std::byte, Free> program_scope_;
  std::unique_ptr<GlobalObjects> global_objects_; // destroyed before their memory
};

} // namespace heddle
