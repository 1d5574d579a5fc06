// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/extra_extensions.h"

#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "compiler/frontend/file_system.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kExtraExtensions[] = {"cl_khr_extended_async_copies",
                                                    "cl_khr_async_work_group_copy_fence",
                                                    "cl_khr_device_enqueue_local_arg_types"};

// Those of the device's extensions that Clang does not know.
llvm::SmallVector<llvm::StringRef, 2> extra_ones(llvm::StringRef names) {
  llvm::SmallVector<llvm::StringRef, 32> words;
  llvm::SplitString(names, words);
  llvm::SmallVector<llvm::StringRef, 2> extra;
  for (const auto name : kExtraExtensions)
    if (llvm::is_contained(words, name))
      extra.push_back(name);
  return extra;
}

// Sees a pragma before the parser does, and acts like `#pragma clang diagnostic` around it.
class PragmaWatcher : public clang::PPCallbacks {
 public:
  PragmaWatcher(clang::DiagnosticsEngine& diagnostics, llvm::SmallVector<llvm::StringRef, 2> names)
      : diagnostics_(diagnostics), names_(std::move(names)) {}

  void PragmaOpenCLExtension(clang::SourceLocation name_location, const clang::IdentifierInfo* name,
                             clang::SourceLocation state_location, unsigned) override {
    if (name_location.isMacroID() || !llvm::is_contained(names_, name->getName()))
      return;
    diagnostics_.pushMappings(name_location);
    diagnostics_.setSeverity(clang::diag::warn_pragma_unknown_extension,
                             clang::diag::Severity::Ignored, name_location);
    diagnostics_.popMappings(state_location);
  }

 private:
  clang::DiagnosticsEngine& diagnostics_;
  llvm::SmallVector<llvm::StringRef, 2> names_;
};

} // namespace

void add_extra_extensions(llvm::StringRef names, std::vector<std::string>& words) {
  const auto extra = extra_ones(names);
  for (const auto name : extra)
    words.push_back(("-D" + name + "=1").str());
  if (!extra.empty())
    words.insert(words.end(), {"-include", kExtraBuiltinsPath});
}

void accept_extra_pragmas(clang::Preprocessor& preprocessor, llvm::StringRef names) {
  preprocessor.addPPCallbacks(
      std::make_unique<PragmaWatcher>(preprocessor.getDiagnostics(), extra_ones(names)));
}

} // namespace heddle::compiler
