// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/extra_extensions.h"

#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "compiler/frontend/file_system.h"
#include "compiler/support/build.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kExtraExtensions[] = {
    "cl_khr_extended_async_copies",
    "cl_khr_async_work_group_copy_fence",
    "cl_khr_device_enqueue_local_arg_types",
    "cl_khr_work_group_uniform_arithmetic",
    "cl_khr_expect_assume",
    "cl_khr_extended_bit_ops",        // which Clang has from OpenCL C 2.0 on
    "cl_intel_bfloat16_conversions"}; // of which Clang has the macro only

// Some hundred declarations, too many for every program: only where they can be called.
bool may_call_intel_sub_groups(const Build& build) {
  constexpr llvm::StringLiteral kName = "intel_sub";
  const auto has = [&](const heddle_blob& text) {
    const llvm::StringRef words(static_cast<const char*>(text.data), text.size);
    // What is included may be a file that is not known yet.
    return words.contains(kName) || words.contains("include");
  };
  return has(build.request.source) || llvm::any_of(build.options.clang, [&](const auto& option) {
           return llvm::StringRef(option).contains(kName);
         });
}

// Macros of extensions that have no functions.
struct ExtensionMacro {
  llvm::StringLiteral extension, macro;
};
constexpr llvm::StringLiteral kUnormInt2And101010 = "cl_ext_image_unorm_int_2_101010";
constexpr llvm::StringLiteral k10X6 = "cl_ext_image_unsigned_10x6_12x4_14x2";
constexpr llvm::StringLiteral kRaw = "cl_ext_image_raw10_raw12";
constexpr ExtensionMacro kMacros[] = {
    {"cl_intel_devicelib_assert", "cl_intel_devicelib_assert=1"},
    {"cl_intel_subgroup_local_block_io", "cl_intel_subgroup_local_block_io=1"},
    {kRaw, "cl_ext_image_raw10_raw12=1"},
    {kRaw, "__opencl_c_ext_image_raw10_raw12=1"},
    {kRaw, "CLK_UNSIGNED_INT_RAW10_EXT=0x10E3"},
    {kRaw, "CLK_UNSIGNED_INT_RAW12_EXT=0x10E4"},
    {kUnormInt2And101010, "cl_ext_image_unorm_int_2_101010=1"},
    {kUnormInt2And101010, "__opencl_c_ext_image_unorm_int_2_101010=1"},
    {kUnormInt2And101010, "CLK_UNORM_INT_2_101010_EXT=0x10E5"},
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

void add_extra_extensions(const Build& build, llvm::StringRef names,
                          std::vector<std::string>& words) {
  const auto extra = extra_ones(names);
  const bool intel_sub_groups =
      names.contains("cl_intel_subgroups") && may_call_intel_sub_groups(build);
  if (intel_sub_groups)
    words.push_back("-D__heddle_intel_sub_groups");
  for (const auto name : extra)
    words.push_back(("-D" + name + "=1").str());
  if (!extra.empty() || intel_sub_groups)
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
