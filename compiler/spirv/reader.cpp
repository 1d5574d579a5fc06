// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/reader.h"

#include "compiler/interface/spirv_words.h"
#include "compiler/spirv/readers.h"
#include "compiler/support/build.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::compiler {

std::unique_ptr<llvm::Module> read_spirv(Build& build) {
  std::string why;
  const auto& il = build.request.il;
  const auto words =
      heddle::spirv::read_words({static_cast<const std::byte*>(il.data), il.size}, why);
  if (!why.empty()) {
    build.error("not a SPIR-V module: " + why);
    return nullptr;
  }
  std::unique_ptr<llvm::Module> module;
  try {
    module = spirv::translate(build, words);
  } catch (const spirv::Refusal& refusal) {
    build.error(refusal.message);
    return nullptr;
  }
  // The rules that need the whole function: dominance, and the predecessors that OpPhi names.
  std::string text;
  llvm::raw_string_ostream stream(text);
  bool has_broken_debug_info = false;
  if (llvm::verifyModule(*module, &stream, &has_broken_debug_info)) {
    build.error("SPIR-V: the module is inconsistent: " + text);
    return nullptr;
  }
  // It has no meaning for the program.
  if (has_broken_debug_info)
    llvm::StripDebugInfo(*module);
  return build.failed ? nullptr : std::move(module);
}

} // namespace heddle::compiler
