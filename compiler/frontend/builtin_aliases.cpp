// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/builtin_aliases.h"

#include "clang/Sema/ExternalSemaSource.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

namespace heddle::compiler {
namespace {

struct Alias {
  llvm::StringLiteral name, builtin;
};
constexpr Alias kAliases[] = {
    {"vloada_half", "vload_half"},           {"vstorea_half", "vstore_half"},
    {"vstorea_half_rte", "vstore_half_rte"}, {"vstorea_half_rtz", "vstore_half_rtz"},
    {"vstorea_half_rtp", "vstore_half_rtp"}, {"vstorea_half_rtn", "vstore_half_rtn"},
};

// Clang asks when it has found nothing, after the builtins.
class AliasSource : public clang::ExternalSemaSource {
 public:
  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }

  bool LookupUnqualified(clang::LookupResult& result, clang::Scope* scope) override {
    const auto* identifier = result.getLookupName().getAsIdentifierInfo();
    if (sema_ == nullptr || identifier == nullptr || result.isForRedeclaration() ||
        result.getLookupKind() != clang::Sema::LookupOrdinaryName)
      return false;
    const auto* alias = llvm::find_if(
        kAliases, [&](const Alias& known) { return known.name == identifier->getName(); });
    if (alias == std::end(kAliases))
      return false;
    clang::LookupResult found(*sema_, &sema_->getASTContext().Idents.get(alias->builtin),
                              result.getNameLoc(), clang::Sema::LookupOrdinaryName);
    if (!sema_->LookupName(found, scope, true))
      return false;
    for (auto* declaration : found)
      result.addDecl(declaration);
    result.resolveKind();
    return true;
  }

 private:
  clang::Sema* sema_ = nullptr;
};

} // namespace

void add_builtin_aliases(clang::CompilerInstance& instance) {
  instance.setExternalSemaSource(llvm::makeIntrusiveRefCnt<AliasSource>());
}

} // namespace heddle::compiler
