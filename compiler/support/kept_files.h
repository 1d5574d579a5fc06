// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of a build that HEDDLE_KEEP asks for.
#pragma once

#include "compiler/interface/compiler_api.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace heddle::compiler {

// Writes into FOLDER/KERNEL-PROCESS-NUMBER/, where FOLDER is heddle_request::keep_folder and KERNEL
// the module's first kernel ("KERNEL+N" if there are N more). The build of a program has the first
// two of these, that of a unit the others:
//
//   source.cl                 the source of the program; module.spv if it is SPIR-V
//   0-frontend.ll, 1-link.ll ...   IR after each stage of the pipeline, in order
//   kernels.s, kernels.o, kernels.so
//   remarks.txt               what `heddle explain` says
//   remarks.opt.yaml          remarks of LLVM's passes and of Heddle's, for LLVM's opt-viewer
//
// Does nothing if no folder is named. What cannot be written is said once on stderr; the build goes
// on.
class KeptFiles {
 public:
  explicit KeptFiles(const heddle_request& request);
  ~KeptFiles();
  KeptFiles(const KeptFiles&) = delete;
  KeptFiles& operator=(const KeptFiles&) = delete;

  bool are_wanted() const { return !root_.empty(); }
  // Creates the folder, with the source and the front end's module, and records the remarks of
  // `module`'s context from here on until the destructor.
  void begin(llvm::Module& module);
  void add_ir(llvm::StringRef stage, const llvm::Module& module);
  void add(llvm::StringRef file_name, llvm::StringRef content);

 private:
  void report(llvm::StringRef path, const std::error_code& error);

  const heddle_request& request_;
  const std::string root_;
  std::string folder_; // empty: nothing is written
  unsigned stages_ = 0;
  llvm::LLVMContext* context_ = nullptr; // whose remarks are recorded
  std::unique_ptr<llvm::raw_fd_ostream> remarks_;
};

} // namespace heddle::compiler
