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
                                                    "cl_khr_async_work_group_copy_fence"};

// Macros of extensions that have no functions.
struct ExtensionMacro {
  llvm::StringLiteral extension, macro;
};
constexpr llvm::StringLiteral k2_101010 = "cl_ext_image_unorm_int_2_101010";
constexpr llvm::StringLiteral k10X6 = "cl_ext_image_unsigned_10x6_12x4_14x2";
constexpr ExtensionMacro kMacros[] = {
    {k2_101010, "cl_ext_image_unorm_int_2_101010=1"},
    {k2_101010, "__opencl_c_ext_image_unorm_int_2_101010=1"},
    {k2_101010, "CLK_UNORM_INT_2_101010_EXT=0x10E5"},
    {k10X6, "cl_ext_image_unsigned_10x6_12x4_14x2=1"},
    {k10X6, "__opencl_c_ext_image_unsigned_10x6_12x4_14x2=1"},
    {k10X6, "CLK_UNSIGNED_INT10X6_EXT=0x10E6"},
    {k10X6, "CLK_UNSIGNED_INT12X4_EXT=0x10E7"},
    {k10X6, "CLK_UNSIGNED_INT14X2_EXT=0x10E8"},
    // The text of the extension names these without INT, its conformance tests with it.
    {k10X6, "CLK_UNORM_10X6_EXT=0x10E1"},
    {k10X6, "CLK_UNORM_12X4_EXT=0x10E9"},
    {k10X6, "CLK_UNORM_14X2_EXT=0x10EA"},
    {k10X6, "CLK_UNORM_INT10X6_EXT=0x10E1"},
    {k10X6, "CLK_UNORM_INT12X4_EXT=0x10E9"},
    {k10X6, "CLK_UNORM_INT14X2_EXT=0x10EA"},
};

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
  llvm::SmallVector<llvm::StringRef, 64> reported;
  llvm::SplitString(names, reported);
  for (const auto& [extension, macro] : kMacros)
    if (llvm::is_contained(reported, extension))
      words.push_back(("-D" + macro).str());
}

void accept_extra_pragmas(clang::Preprocessor& preprocessor, llvm::StringRef names) {
  preprocessor.addPPCallbacks(
      std::make_unique<PragmaWatcher>(preprocessor.getDiagnostics(), extra_ones(names)));
}

} // namespace heddle::compiler
