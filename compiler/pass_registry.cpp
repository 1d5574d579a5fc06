// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pass_registry.h"

#include "compiler/all_passes.h"
#include "compiler/kernel_body_adaptor.h"
#include "llvm/ADT/StringMap.h"

namespace heddle::compiler {
namespace {

// The class of a pass, from an expression that constructs it. Never evaluated.
template <typename Pass>
llvm::StringRef class_name(Pass (*)(Compilation&)) {
  return Pass::name();
}

llvm::StringMap<llvm::StringRef> names_by_class() {
  llvm::StringMap<llvm::StringRef> names;
#define HEDDLE_MODULE_PASS(name, purpose, constructor, sentence)                                   \
  names[class_name(+[]([[maybe_unused]] Compilation& compilation) { return constructor; })] = name;
#define HEDDLE_FUNCTION_PASS(name, purpose, constructor, sentence)                                 \
  HEDDLE_MODULE_PASS(name, purpose, constructor, sentence)
#include "compiler/passes.def"
  return names;
}

using Elements = llvm::ArrayRef<llvm::PassBuilder::PipelineElement>;

std::string pipeline_text(Elements elements) {
  std::string text;
  for (const auto& element : elements) {
    if (!text.empty())
      text += ',';
    text += element.Name;
    if (!element.InnerPipeline.empty())
      text.append("(").append(pipeline_text(element.InnerPipeline)).append(")");
  }
  return text;
}

// False: one of the passes is unknown.
bool parse_kernel_body(llvm::PassBuilder& builder, Compilation& compilation, Elements elements,
                       llvm::ModulePassManager& passes) {
  llvm::FunctionPassManager body;
  if (!elements.empty())
    if (auto error = builder.parsePassPipeline(body, pipeline_text(elements))) {
      llvm::consumeError(std::move(error));
      return false;
    }
  passes.addPass(KernelBodyAdaptor(compilation, std::move(body)));
  return true;
}

} // namespace

llvm::StringRef pass_name(llvm::StringRef class_name) {
  static const auto names = names_by_class();
  return names.lookup(class_name);
}

std::optional<PassPurpose> purpose_of(llvm::StringRef name) {
#define HEDDLE_MODULE_PASS(pass, purpose, constructor, sentence)                                   \
  if (name == pass)                                                                                \
    return PassPurpose::purpose;
#define HEDDLE_FUNCTION_PASS(pass, purpose, constructor, sentence)                                 \
  HEDDLE_MODULE_PASS(pass, purpose, constructor, sentence)
#include "compiler/passes.def"
  return std::nullopt;
}

void register_passes(llvm::PassBuilder& builder, Compilation& compilation) {
  builder.registerPipelineParsingCallback([&builder, &compilation](llvm::StringRef word,
                                                                   llvm::ModulePassManager& passes,
                                                                   Elements inner) {
    if (word == "kernel-body")
      return parse_kernel_body(builder, compilation, inner, passes);
#define HEDDLE_MODULE_PASS(name, purpose, constructor, sentence)                                   \
  if (word == name) {                                                                              \
    passes.addPass(constructor);                                                                   \
    return true;                                                                                   \
  }
#include "compiler/passes.def"
    return false;
  });
  builder.registerPipelineParsingCallback(
      [&compilation](llvm::StringRef word, llvm::FunctionPassManager& passes,
                     llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
#define HEDDLE_FUNCTION_PASS(name, purpose, constructor, sentence)                                 \
  if (word == name) {                                                                              \
    passes.addPass(constructor);                                                                   \
    return true;                                                                                   \
  }
#include "compiler/passes.def"
        (void)compilation;
        return false;
      });
}

} // namespace heddle::compiler
