#include "compiler/pass_registry.h"

#include "compiler/all_passes.h"
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
#define HEDDLE_MODULE_PASS(name, constructor, sentence)                                            \
  names[class_name(+[]([[maybe_unused]] Compilation& compilation) { return constructor; })] = name;
#define HEDDLE_FUNCTION_PASS(name, constructor, sentence)                                          \
  HEDDLE_MODULE_PASS(name, constructor, sentence)
#include "compiler/passes.def"
  return names;
}

} // namespace

llvm::StringRef pass_name(llvm::StringRef class_name) {
  static const auto names = names_by_class();
  return names.lookup(class_name);
}

void register_passes(llvm::PassBuilder& builder, Compilation& compilation) {
  builder.registerPipelineParsingCallback(
      [&compilation](llvm::StringRef word, llvm::ModulePassManager& passes,
                     llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
#define HEDDLE_MODULE_PASS(name, constructor, sentence)                                            \
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
#define HEDDLE_FUNCTION_PASS(name, constructor, sentence)                                          \
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
