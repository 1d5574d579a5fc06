// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/limit_watcher.h"

#include "clang/Lex/Preprocessor.h"
#include "compiler/support/build.h"

namespace heddle::compiler {
namespace {

// Checks the limits at all callbacks of the preprocessor that an endless program can reach.
class LimitWatcher : public clang::PPCallbacks {
 public:
  LimitWatcher(clang::Preprocessor& preprocessor, Build& build)
      : preprocessor_(preprocessor), build_(build) {}

  // Whether the build is within its limits; stops it the first time that it is not.
  bool check(clang::SourceLocation location) {
    if (build_.limits.exceeded_sampled() == nullptr)
      return true;
    if (!gave_up_) {
      gave_up_ = true;
      give_up(location);
    }
    return false;
  }

  void LexedFileChanged(clang::FileID, LexedFileChangeReason, clang::SrcMgr::CharacteristicKind,
                        clang::FileID, clang::SourceLocation location) override {
    check(location);
  }
  void MacroDefined(const clang::Token& token, const clang::MacroDirective*) override {
    check(token.getLocation());
  }
  void MacroExpands(const clang::Token& token, const clang::MacroDefinition&, clang::SourceRange,
                    const clang::MacroArgs*) override {
    check(token.getLocation());
  }

 private:
  // After a fatal error no more files are entered and nothing else is reported. Macro expansions in
  // progress, such as in the condition of an #if, end when no macros are left.
  void give_up(clang::SourceLocation location) {
    build_.failed = true;
    auto& diagnostics = preprocessor_.getDiagnostics();
    const auto id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Fatal, "%0");
    diagnostics.Report(location, id) << build_.limits.exceeded();
    llvm::SmallVector<const clang::IdentifierInfo*, 64> macros;
    for (const auto& macro : preprocessor_.macros())
      if (macro.first->hasMacroDefinition())
        macros.push_back(macro.first);
    for (const auto* macro : macros)
      preprocessor_.appendMacroDirective(const_cast<clang::IdentifierInfo*>(macro),
                                         new (preprocessor_.getPreprocessorAllocator())
                                             clang::UndefMacroDirective(location));
  }

  clang::Preprocessor& preprocessor_;
  Build& build_;
  bool gave_up_ = false;
};

} // namespace

void watch_limits(clang::Preprocessor& preprocessor, Build& build) {
  auto owned = std::make_unique<LimitWatcher>(preprocessor, build);
  auto* watcher = owned.get();
  preprocessor.addPPCallbacks(std::move(owned));
  preprocessor.setTokenWatcher([watcher](const clang::Token& token) {
    if (watcher->check(token.getLocation()))
      return;
    // The callback gets the parser's token by reference; this is the only way to stop the parser
    // from outside.
    auto& seen = const_cast<clang::Token&>(token);
    if (!seen.isAnnotation())
      seen.setKind(clang::tok::eof);
  });
}

} // namespace heddle::compiler
