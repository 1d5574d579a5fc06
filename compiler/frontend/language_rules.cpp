// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/language_rules.h"

#include "clang/AST/Decl.h"

namespace heddle::compiler {
namespace {

class LanguageRules : public clang::ASTConsumer {
 public:
  explicit LanguageRules(clang::DiagnosticsEngine& diagnostics) : diagnostics_(diagnostics) {}

  void HandleTagDeclDefinition(clang::TagDecl* definition) override {
    const auto* record = llvm::dyn_cast<clang::RecordDecl>(definition);
    if (record == nullptr)
      return;
    for (const auto* field : record->fields())
      if (field->getType().getCanonicalType()->isPipeType())
        diagnostics_.Report(field->getLocation(),
                            diagnostics_.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                         "a field cannot be a pipe"));
  }

 private:
  clang::DiagnosticsEngine& diagnostics_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> check_language_rules(clang::DiagnosticsEngine& diagnostics) {
  return std::make_unique<LanguageRules>(diagnostics);
}

} // namespace heddle::compiler
