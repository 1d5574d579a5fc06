// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/invocation.h"

#include "clang/Basic/CodeGenOptions.h"
#include "compiler/frontend/extra_extensions.h"
#include "compiler/frontend/file_system.h"
#include "compiler/support/build.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace heddle::compiler {
namespace {

// "-cl-ext=-all,+NAME,...": exactly the extensions of the device. C++ for OpenCL has no blocks
// (2.2.3.3), which Clang takes from this feature; and headers such as those of libclcxx enable
// Clang's extensions to name types of functions.
std::string extension_list(llvm::StringRef names, bool is_cxx) {
  std::string list = "-cl-ext=-all";
  llvm::SmallVector<llvm::StringRef, 32> words;
  llvm::SplitString(names, words);
  for (const auto word : words)
    if (!is_cxx || word != "__opencl_c_device_enqueue")
      list += (",+" + word).str();
  if (is_cxx)
    list += ",+__cl_clang_function_pointers,+__cl_clang_variadic_functions";
  return list;
}

bool has(llvm::StringRef names, llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 32> words;
  llvm::SplitString(names, words);
  return llvm::is_contained(words, name);
}

// Clang computes the column of each statement from the start of its line: quadratic for generated
// programs in one long line, whose line numbers are of no use anyway.
bool has_endless_line(const heddle_blob& source) {
  constexpr std::size_t kEndless = 20'000;
  llvm::StringRef text(static_cast<const char*>(source.data), source.size);
  while (text.size() > kEndless) {
    const auto end = text.take_front(kEndless).rfind('\n');
    if (end == llvm::StringRef::npos)
      return true;
    text = text.drop_front(end + 1);
  }
  return false;
}

} // namespace

bool is_cxx(const Build& build) {
  return llvm::StringRef(build.options.language).starts_with("CLC++");
}

std::shared_ptr<clang::CompilerInvocation> make_invocation(const Build& build,
                                                           clang::DiagnosticsEngine& diagnostics) {
  const llvm::StringRef extensions =
      build.request.extensions != nullptr ? build.request.extensions : "";
  // Clang's newest OpenCL C is 3.0; 3.1 adds extensions to it that the device has.
  const bool cxx = is_cxx(build);
  const bool is_3_1 = build.options.language == "CL3.1";
  std::vector<std::string> words = {
      "-triple", "spir64-unknown-unknown", "-x", "cl",
      // Programs test for these macros of the intermediate target, which is not the device.
      "-U__SPIR__", "-U__SPIR64__", "-U__SPIR", "-U__SPIR64", "-D__OPENCL_VERSION__=310",
      "-DCL_VERSION_3_1=310", "-cl-std=" + (is_3_1 ? "CL3.0" : build.options.language),
      extension_list(extensions, cxx), "-finclude-default-header", "-fdeclare-opencl-builtins",
      "-cl-kernel-arg-info", "-internal-isystem", kBuiltinHeaderDirectory, "-nobuiltininc",
      // Headers of the system, such as /usr/include, are not for kernels.
      "-nostdsysteminc", "-ffp-contract=on",
      // The processor's reciprocal estimate with one Newton step has an error of up to 3 ulp; with
      // -cl-fast-relaxed-math a division may have 2.5 ulp (OpenCL C 7.4). Square roots keep their
      // estimates: they may have 3 and 4 ulp.
      "-mrecip=!vec-divf"};
  if (cxx)
    words.insert(words.end(),
                 {"-fno-rtti",
                  // What destroys an object is a function without arguments (global_objects.h).
                  "-fno-use-cxa-atexit",
                  // C++ for OpenCL 2.3.1.7: destructors work in all address spaces, and those of
                  // objects at program scope run.
                  "-D__opencl_cpp_destructor_with_address_spaces=1",
                  "-D__opencl_cpp_global_destructor=1"});
  if (is_3_1)
    words.insert(words.end(), {"-U__OPENCL_C_VERSION__", "-D__OPENCL_C_VERSION__=310"});
  add_extra_extensions(build, extensions, words);
  if (!has(extensions, "__opencl_c_images"))
    words.push_back("-U__IMAGE_SUPPORT__");
  if (build.request.header_count != 0)
    words.push_back(std::string("-I") + kProgramHeaderDirectory);
  // Errors in newer C that older programs expect to be warnings.
  if (!llvm::is_contained(build.options.clang, "-Werror"))
    words.insert(words.end(),
                 {"-Wno-error=incompatible-pointer-types", "-Wno-error=int-conversion"});
  words.insert(words.end(), build.options.clang.begin(), build.options.clang.end());
  words.push_back("-Wno-unknown-sanitizers"); // unchecked_attributes.h
  // They become checks of Heddle's own (lower/lower_index_checks.h). Arrays of no size, or of at
  // most one element, at the end of structures are flexible.
  if ((build.request.checks & HEDDLE_CHECK_MEMORY) != 0)
    words.insert(words.end(), {"-fsanitize=array-bounds", "-fsanitize-recover=array-bounds",
                               "-fstrict-flex-arrays=1"});
  // Products and sums of different statements, too, and as instructions of their own, which the
  // optimizer reassociates.
  if (llvm::any_of(build.options.clang, [](const std::string& option) {
        return option == "-cl-mad-enable" || option == "-cl-unsafe-math-optimizations" ||
               option == "-cl-fast-relaxed-math";
      }))
    words.push_back("-ffp-contract=fast-honor-pragmas");
  words.push_back(build.options.optimize ? "-O2" : "-O0");
  words.push_back("-disable-llvm-passes");
  words.push_back("-dwarf-version=4");
  // Always with line tables: profilers show source lines of kernels without an option.
  if (!has_endless_line(build.request.source))
    words.push_back(build.options.debug ? "-debug-info-kind=constructor"
                                        : "-debug-info-kind=line-tables-only");
  if (build.request.working_directory != nullptr) {
    words.push_back(std::string("-fdebug-compilation-dir=") + build.request.working_directory);
    words.insert(words.end(), {"-iquote", build.request.working_directory});
  }

  std::vector<const char*> pointers;
  for (const auto& word : words)
    pointers.push_back(word.c_str());
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers, diagnostics))
    return nullptr;

  auto& codegen = invocation->getCodeGenOpts();
  codegen.DisableFree = false;
  codegen.ClearASTBeforeBackend = false;
  invocation->getFrontendOpts().DisableFree = false;
  return invocation;
}

} // namespace heddle::compiler
