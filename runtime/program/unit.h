// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A unit: one kernel of a program, compiled in one variant and loaded with dlopen.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "compiler/interface/metadata.h"
#include "compiler/interface/work_estimate.h"
#include "runtime/execution/kernel_launch.h"
#include "runtime/program/program_file.h"

#include <memory>
#include <string>

namespace heddle {

class Unit {
 public:
  // Opens the file at `path`, or the payload from memory if `path` is empty or cannot be opened.
  // Null, with an error message, on failure; throws std::bad_alloc.
  static std::unique_ptr<const Unit> open(ProgramFile file, const std::string& path,
                                          std::string& error);
  ~Unit();
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  const KernelMetadata& metadata() const { return metadata_; }
  // Lives as long as this.
  const KernelVariant& variant() const { return variant_; }
  // Of a plain unit.
  const WorkEstimate& work() const { return work_; }
  const ProgramFile& file() const { return file_; }

 private:
  Unit() = default;

  ProgramFile file_;
  KernelMetadata metadata_;
  void* library_ = nullptr;
  int memory_file_ = -1;
  KernelVariant variant_;
  WorkEstimate work_;
};

} // namespace heddle
