// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/link/bitcode.h"

#include "compiler/support/build.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

namespace heddle::compiler {
namespace {

// Adds LLVM's errors of a link to the log.
class LinkDiagnostics : public llvm::DiagnosticHandler {
 public:
  explicit LinkDiagnostics(Build& build) : build_(build) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    build_.take_errors(info);
    return true;
  }

 private:
  Build& build_;
};

bool is_definition(const llvm::GlobalValue& value) {
  return !value.isDeclaration() && !value.hasLocalLinkage() &&
         !value.hasAvailableExternallyLinkage();
}

bool report_duplicates(const llvm::Module& into, const llvm::Module& from, Build& build) {
  bool found = false;
  for (const auto& value : from.global_values()) {
    if (!is_definition(value) || value.hasAppendingLinkage() ||
        value.getName().starts_with("__clang_ocl_kern_imp_"))
      continue;
    const auto* other = into.getNamedValue(value.getName());
    if (other != nullptr && is_definition(*other) && !other->isWeakForLinker() &&
        !value.isWeakForLinker()) {
      build.error("symbol '" + value.getName() + "' is defined more than once");
      found = true;
    }
  }
  return found;
}

} // namespace

BitcodeStatus link_inputs(Build& build, std::unique_ptr<llvm::Module>& module) {
  build.context.setDiagnosticHandler(std::make_unique<LinkDiagnostics>(build));
  for (std::size_t i = 0; i < build.request.input_count; ++i) {
    const auto& blob = build.request.inputs[i];
    auto parsed = llvm::parseBitcodeFile(
        llvm::MemoryBufferRef({static_cast<const char*>(blob.data), blob.size}, "input"),
        build.context);
    if (!parsed) {
      build.error("input " + llvm::Twine(i) +
                  " is not a compiled program: " + llvm::toString(parsed.takeError()));
      return BitcodeStatus::not_bitcode;
    }
    if (!module) {
      module = std::move(*parsed);
      continue;
    }
    if (report_duplicates(*module, **parsed, build))
      return BitcodeStatus::failed;
    if (llvm::Linker::linkModules(*module, std::move(*parsed))) {
      build.error("the programs cannot be linked");
      return BitcodeStatus::failed;
    }
  }
  build.context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
  return build.failed ? BitcodeStatus::failed : BitcodeStatus::ok;
}

void write_bitcode(const llvm::Module& module, std::vector<std::byte>& output) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  output.resize(bytes.size());
  std::memcpy(output.data(), bytes.data(), bytes.size());
}

} // namespace heddle::compiler
