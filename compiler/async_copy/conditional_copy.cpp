// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/async_copy/conditional_copy.h"

#include "compiler/ir/address_space.h"
#include "compiler/ir/prefetch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

namespace heddle::compiler {
namespace {

llvm::Value* emit_offset_in_line(llvm::IRBuilder<>& builder, llvm::Value* address) {
  return builder.CreateAnd(builder.CreatePtrToInt(address, builder.getInt64Ty()), kCacheLine - 1);
}

// Whether the distance from the argument to the address is a multiple of a cache line.
bool is_multiple_of_lines(const llvm::Value& address, const llvm::Argument& argument) {
  const auto& layout = argument.getParent()->getDataLayout();
  const llvm::Value* base = &address;
  while (base != &argument) {
    if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(base)) {
      base = cast->getPointerOperand();
      continue;
    }
    const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(base);
    if (gep == nullptr || gep->getNumIndices() != 1)
      return false;
    const auto zeros =
        llvm::computeKnownBits(gep->getOperand(1), layout).countMinTrailingZeros() +
        llvm::countr_zero(layout.getTypeAllocSize(gep->getSourceElementType()).getFixedValue());
    if (zeros < llvm::Log2_64(kCacheLine))
      return false;
    base = gep->getPointerOperand();
  }
  return true;
}

} // namespace

llvm::Value* cast_to_generic(llvm::IRBuilder<>& builder, llvm::Value* address) {
  return builder.CreateAddrSpaceCast(address, builder.getPtrTy(kGeneric));
}

llvm::Value* emit_is_elided(llvm::IRBuilder<>& builder, llvm::Value* may_elide, llvm::Value* from,
                            llvm::Value* to, llvm::Argument& source) {
  // Then the result depends on the argument only and is the same for the whole launch.
  const bool is_like_source = is_multiple_of_lines(*from, source);
  auto* offset = emit_offset_in_line(builder, is_like_source ? &source : from);
  auto* is_aligned = builder.CreateICmpEQ(offset, builder.getInt64(0));
  if (!is_like_source)
    is_aligned = builder.CreateOr(is_aligned,
                                  builder.CreateICmpEQ(offset, emit_offset_in_line(builder, to)));
  return builder.CreateAnd(may_elide, is_aligned, "is_elided");
}

void emit_copy_unless_elided(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> arguments) {
  auto& module = *builder.GetInsertBlock()->getModule();
  auto* address = builder.getPtrTy(kGeneric);
  auto* i64 = builder.getInt64Ty();
  auto copy = module.getOrInsertFunction(
      kCopyUnlessElided,
      llvm::FunctionType::get(
          builder.getVoidTy(),
          {address, address, i64, builder.getInt1Ty(), builder.getPtrTy(kLocal), i64}, false));
  builder.CreateCall(copy, arguments);
}

} // namespace heddle::compiler
