#include "compiler/frontend/limit_watcher.h"

#include "clang/Lex/Preprocessor.h"
#include "compiler/support/build.h"

namespace heddle::compiler {
namespace {

// Sees the files and directives that never yield a token.
class DirectiveWatcher : public clang::PPCallbacks {
 public:
  DirectiveWatcher(clang::Preprocessor& preprocessor, Build& build)
      : preprocessor_(preprocessor), build_(build) {}

  void LexedFileChanged(clang::FileID, LexedFileChangeReason, clang::SrcMgr::CharacteristicKind,
                        clang::FileID, clang::SourceLocation location) override {
    check(location);
  }
  void MacroDefined(const clang::Token& token, const clang::MacroDirective*) override {
    check(token.getLocation());
  }
  void If(clang::SourceLocation location, clang::SourceRange, ConditionValueKind) override {
    check(location);
  }

 private:
  // After a fatal error the preprocessor enters no more files.
  void check(clang::SourceLocation location) {
    if (build_.limits.exceeded_sampled() == nullptr || build_.failed)
      return;
    auto& diagnostics = preprocessor_.getDiagnostics();
    const auto id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Fatal, "%0");
    diagnostics.Report(location, id) << build_.limits.exceeded();
    build_.failed = true;
  }

  clang::Preprocessor& preprocessor_;
  Build& build_;
};

} // namespace

void watch_limits(clang::Preprocessor& preprocessor, Build& build) {
  preprocessor.addPPCallbacks(std::make_unique<DirectiveWatcher>(preprocessor, build));
  preprocessor.setTokenWatcher([&](const clang::Token& token) {
    const char* message = build.limits.exceeded_sampled();
    if (message == nullptr)
      return;
    if (!build.failed) {
      auto& diagnostics = preprocessor.getDiagnostics();
      const auto id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Fatal, "%0");
      diagnostics.Report(token.getLocation(), id) << message;
      build.failed = true;
    }
    // The watcher is given the very token that the parser gets; there is no other way to end a
    // macro expansion from outside.
    auto& seen = const_cast<clang::Token&>(token);
    if (!seen.isAnnotation())
      seen.setKind(clang::tok::eof);
  });
}

} // namespace heddle::compiler
