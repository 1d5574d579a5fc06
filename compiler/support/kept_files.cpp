// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/kept_files.h"

#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <atomic>

namespace heddle::compiler {
namespace {

std::string name_of(const llvm::Module& module) {
  std::string first;
  unsigned others = 0;
  for (const auto& function : module)
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL && !function.isDeclaration()) {
      if (first.empty())
        first = function.getName();
      else
        ++others;
    }
  if (first.empty())
    return "no-kernel";
  return others == 0 ? first : first + "+" + std::to_string(others);
}

} // namespace

KeptFiles::KeptFiles(const heddle_request& request)
    : request_(request), root_(request.keep_folder != nullptr ? request.keep_folder : "") {}

KeptFiles::~KeptFiles() {
  if (context_ != nullptr)
    llvm::finalizeLLVMOptimizationRemarks(*context_);
}

void KeptFiles::begin(llvm::Module& module) {
  if (!are_wanted())
    return;
  static std::atomic<unsigned> builds{0};
  llvm::SmallString<128> path(root_);
  llvm::sys::path::append(path, name_of(module) + "-" +
                                    llvm::Twine(llvm::sys::Process::getProcessId()) + "-" +
                                    llvm::Twine(builds++));
  if (const auto error = llvm::sys::fs::create_directories(path)) {
    report(path, error);
    return;
  }
  folder_ = path.str();
  if (request_.il.size != 0)
    add("module.spv", {static_cast<const char*>(request_.il.data), request_.il.size});
  else if (request_.input_count == 0)
    add("source.cl", {static_cast<const char*>(request_.source.data), request_.source.size});
  add_ir("frontend", module);
  std::error_code error;
  llvm::sys::path::append(path, "remarks.opt.yaml");
  remarks_ = std::make_unique<llvm::raw_fd_ostream>(path, error);
  if (error) {
    report(path, error);
    return;
  }
  if (auto failure =
          llvm::setupLLVMOptimizationRemarks(module.getContext(), *remarks_, "", "yaml", false)) {
    llvm::errs() << "heddle: HEDDLE_KEEP: " << llvm::toString(std::move(failure)) << "\n";
    return;
  }
  context_ = &module.getContext();
}

void KeptFiles::add_ir(llvm::StringRef stage, const llvm::Module& module) {
  if (folder_.empty())
    return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  add((llvm::Twine(stages_++) + "-" + stage + ".ll").str(), text);
}

void KeptFiles::add(llvm::StringRef file_name, llvm::StringRef content) {
  if (folder_.empty())
    return;
  llvm::SmallString<128> path(folder_);
  llvm::sys::path::append(path, file_name);
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error)
    report(path, error);
  else
    file << content;
}

void KeptFiles::report(llvm::StringRef path, const std::error_code& error) {
  llvm::errs() << "heddle: HEDDLE_KEEP: " << path << ": " << error.message() << "\n";
  folder_.clear();
}

} // namespace heddle::compiler
