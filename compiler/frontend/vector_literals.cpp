// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/vector_literals.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"

namespace heddle::compiler {
namespace {

class VectorLiterals : public clang::ASTConsumer, private clang::DynamicRecursiveASTVisitor {
 public:
  // Code is generated from the semantic form of initializer lists, not the syntactic one.
  VectorLiterals() {
    ShouldVisitImplicitCode = true;
    ShouldVisitTemplateInstantiations = true;
  }
  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
    for (auto* declaration : declarations)
      TraverseDecl(declaration);
    return true;
  }

 private:
  bool VisitInitListExpr(clang::InitListExpr* literal) override {
    if (!literal->getType()->isExtVectorType())
      return true;
    for (unsigned i = 0; i != literal->getNumInits(); ++i) {
      auto* element = literal->getInit(i);
      if (llvm::isa<clang::ExtVectorElementExpr>(element))
        literal->setInit(i, new (*context_) clang::ParenExpr(element->getBeginLoc(),
                                                             element->getEndLoc(), element));
    }
    return true;
  }

  clang::ASTContext* context_ = nullptr;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> put_swizzles_in_parentheses() {
  return std::make_unique<VectorLiterals>();
}

} // namespace heddle::compiler
