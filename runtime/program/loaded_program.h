// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loaded program: its file, opened with dlopen, and its program-scope variables.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "compiler/interface/metadata.h"
#include "runtime/execution/kernel_table.h"
#include "runtime/program/program_file.h"

#include <memory>
#include <string>

namespace heddle {

class LoadedProgram final : public KernelTable {
 public:
  // Opens the file at `path`, or the payload from memory if `path` is empty. Null, with an error
  // message, on failure; throws std::bad_alloc.
  static Ref<LoadedProgram> open(const ProgramFile& file, const std::string& path,
                                 std::string& error);

  const ProgramMetadata& metadata() const { return metadata_; }
  // Null if there is none of that name; blocks have none for the API.
  const KernelMetadata* find(const std::string& kernel) const;
  abi::KernelFunction function(const KernelMetadata& kernel) const;
  Entry kernel_at(std::uint64_t index) const noexcept override;
  std::byte* program_scope() const noexcept override { return program_scope_.get(); }
  // The program-scope variable of that name, or null.
  const CheckedVariable* find_variable(const std::string& name) const;

 private:
  LoadedProgram() : KernelTable(Kind::dead) {}
  ~LoadedProgram() override;

  struct Free {
    void operator()(std::byte* memory) const;
  };
  ProgramMetadata metadata_;
  void* library_ = nullptr;
  int memory_file_ = -1;
  const abi::KernelFunction* functions_ = nullptr;
  std::unique_ptr<std::byte, Free> program_scope_;
};

} // namespace heddle
