// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_device_enqueue_local_arg_types, which Clang 22 does not know: blocks that are enqueued may
// have pointers to any type in local memory for parameters, not only `local void*`.
//
// Clang's checks of enqueue_kernel and of the queries of blocks are wrapped (overrides.cmake): they
// are shown the block cast to a type that they accept. Code generation ignores the cast.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Type.h"
#include "clang/Sema/SemaOpenCL.h"

namespace {

bool is_local_pointer(clang::QualType type) {
  return type->isPointerType() &&
         type->getPointeeType().getAddressSpace() == clang::LangAS::opencl_local;
}

// The type with `local void*` for all pointers to local memory; null if it is no type of a block,
// or has no other parameters than these.
clang::QualType accepted_type(clang::ASTContext& context, clang::QualType type) {
  const auto* block = type->getAs<clang::BlockPointerType>();
  const auto* function =
      block != nullptr ? block->getPointeeType()->getAs<clang::FunctionProtoType>() : nullptr;
  if (function == nullptr)
    return {};
  const auto local_void = context.getPointerType(
      context.getAddrSpaceQualType(context.VoidTy, clang::LangAS::opencl_local));
  llvm::SmallVector<clang::QualType, 4> parameters;
  bool changed = false;
  for (const auto parameter : function->param_types()) {
    const bool other = is_local_pointer(parameter) && !parameter->isVoidPointerType();
    parameters.push_back(other ? local_void : parameter);
    changed |= other;
  }
  if (!changed)
    return {};
  auto made =
      context.getFunctionType(function->getReturnType(), parameters, function->getExtProtoInfo());
  if (const auto pointee = block->getPointeeType(); pointee.hasAddressSpace())
    made = context.getAddrSpaceQualType(made, pointee.getAddressSpace());
  return context.getBlockPointerType(made);
}

void cast_blocks(clang::SemaOpenCL& sema, clang::CallExpr& call) {
  auto& context = sema.getASTContext();
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    auto* argument = call.getArg(i);
    if (argument->isTypeDependent())
      continue;
    const auto type = accepted_type(context, argument->getType());
    if (!type.isNull())
      call.setArg(i, clang::ImplicitCastExpr::Create(context, type, clang::CK_BitCast, argument,
                                                     nullptr, clang::VK_PRValue,
                                                     clang::FPOptionsOverride()));
  }
}

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): names of the linker
#define HEDDLE_WRAP(function)                                                                      \
  extern "C" bool __real_##function(clang::SemaOpenCL*, clang::CallExpr*);                         \
  extern "C" bool __wrap_##function(clang::SemaOpenCL* sema, clang::CallExpr* call) {              \
    cast_blocks(*sema, *call);                                                                     \
    return __real_##function(sema, call);                                                          \
  }

HEDDLE_WRAP(_ZN5clang10SemaOpenCL25checkBuiltinEnqueueKernelEPNS_8CallExprE)
HEDDLE_WRAP(_ZN5clang10SemaOpenCL27checkBuiltinNDRangeAndBlockEPNS_8CallExprE)
HEDDLE_WRAP(_ZN5clang10SemaOpenCL31checkBuiltinKernelWorkGroupSizeEPNS_8CallExprE)
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
