// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/skipped_passes.h"

#include "compiler/pass_registry.h"
#include "llvm/ADT/SmallVector.h"

namespace heddle::compiler {
namespace {

llvm::SmallVector<llvm::StringRef, 8> names_of(const char* list) {
  llvm::SmallVector<llvm::StringRef, 8> names;
  llvm::StringRef(list != nullptr ? list : "").split(names, ',', -1, false);
  for (auto& name : names)
    name = name.trim();
  return names;
}

bool is_pass(Compilation& compilation, llvm::StringRef name) {
  llvm::PassBuilder builder(&compilation.target);
  register_passes(builder, compilation);
  llvm::ModulePassManager passes;
  auto error = builder.parsePassPipeline(passes, name);
  const bool is_known = !error;
  llvm::consumeError(std::move(error));
  return is_known;
}

} // namespace

bool is_listed(const char* list, llvm::StringRef name) {
  return !name.empty() && llvm::is_contained(names_of(list), name);
}

bool may_skip_passes(Compilation& compilation) {
  auto& build = compilation.build;
  for (const auto name : names_of(build.request.skipped_passes)) {
    if (purpose_of(name) == PassPurpose::semantics)
      return build.error("HEDDLE_SKIP: kernels would be wrong without the pass '" + name + "'");
    if (!is_pass(compilation, name))
      return build.error("HEDDLE_SKIP: no pass is called '" + name +
                         "'; 'heddle passes' lists Heddle's");
  }
  return true;
}

} // namespace heddle::compiler
