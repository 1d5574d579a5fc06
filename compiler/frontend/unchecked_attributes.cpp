// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/unchecked_attributes.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Sanitizers.h"
#include "compiler/ir/unchecked_functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <string>

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kPrefix = "heddle-";
constexpr llvm::StringLiteral kChecks[] = {"division", "memory", "race", "divergence",
                                           "uninitialized"};

class UncheckedFunctions : public clang::ASTConsumer {
 public:
  UncheckedFunctions(clang::CodeGenerator& generator, clang::DiagnosticsEngine& diagnostics)
      : generator_(generator), diagnostics_(diagnostics) {}

  void HandleTranslationUnit(clang::ASTContext& /*context*/) override {
    auto* module = generator_.GetModule();
    if (module == nullptr)
      return;
    for (auto& function : *module) {
      if (function.isDeclaration())
        continue;
      const auto* declaration = generator_.GetDeclForMangledName(function.getName());
      if (declaration == nullptr)
        continue;
      const auto checks = checks_of(*declaration);
      if (auto* subprogram = function.getSubprogram(); subprogram != nullptr && !checks.empty())
        add_unchecked_function(*module, *subprogram, checks);
    }
  }

 private:
  std::string checks_of(const clang::Decl& declaration) {
    std::string checks;
    for (const auto* attribute : declaration.specific_attrs<clang::NoSanitizeAttr>())
      for (auto name : attribute->sanitizers()) {
        if (clang::parseSanitizerValue(name, /*AllowGroups=*/true))
          continue;
        auto check = name;
        if (check.consume_front(kPrefix) && llvm::is_contained(kChecks, check))
          checks.append(checks.empty() ? "" : ",").append(check);
        // A kernel is two functions.
        else if (warned_.insert(attribute).second)
          diagnostics_.Report(attribute->getLocation(),
                              diagnostics_.getCustomDiagID(clang::DiagnosticsEngine::Warning,
                                                           "unknown sanitizer '%0' ignored"))
              << name;
      }
    return checks;
  }

  clang::CodeGenerator& generator_;
  clang::DiagnosticsEngine& diagnostics_;
  llvm::SmallPtrSet<const clang::Attr*, 4> warned_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer>
note_unchecked_functions(clang::CodeGenerator& generator, clang::DiagnosticsEngine& diagnostics) {
  return std::make_unique<UncheckedFunctions>(generator, diagnostics);
}

} // namespace heddle::compiler
