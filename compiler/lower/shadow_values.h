// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=uninitialized: the shadow of a value is a value of integers as wide as its own, with
// a one for each bit that depends on memory which was never written. The rules for instructions are
// those of LLVM's MemorySanitizer; constants and arguments have no ones.
#pragma once

#include "compiler/ir/subgroup_intrinsics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

class ShadowValues {
 public:
  explicit ShadowValues(const llvm::DataLayout& layout) : layout_(layout) {}

  // Null: values of the type have none.
  llvm::Type* type_of(llvm::Type* type) const;
  // Null: no bit of the value is uninitialized. Those of variables that are registers already, as
  // pointers are, are undefined where these were never written.
  llvm::Value* of(const llvm::Value& value) const;
  // `shadow` may be null.
  void set(const llvm::Value& value, llvm::Value* shadow);

  // Computes the shadow of an instruction that accesses no memory, before it. Of a phi it has no
  // incoming values until finish_phis().
  void compute(llvm::Instruction& instruction);
  void finish_phis();

  // Shadows of the type with ones in all bits if the i1 is true.
  llvm::Value* spread(llvm::Value* any, llvm::Type* type, llvm::IRBuilderBase& builder) const;
  // An i1: whether the shadow has a one. `shadow` may be null, then so is the result.
  static llvm::Value* any(llvm::Value* shadow, llvm::IRBuilderBase& builder);
  // Of a result that any operand's bit may change: if there are ones in an element of an operand,
  // in the same element of the result, or in all where they have no elements in common.
  llvm::Value* of_operands(llvm::ArrayRef<llvm::Value*> operands, llvm::Type* type,
                           llvm::IRBuilderBase& builder) const;

 private:
  // The operand's shadow, zeros if there is none.
  llvm::Value* shadow_or_zero(llvm::Value& value) const;
  llvm::Value* combine(llvm::Value* a, llvm::Value* b, llvm::IRBuilderBase& builder) const;
  llvm::Value* make(llvm::Instruction& instruction, llvm::IRBuilderBase& builder);
  llvm::Value* make_binary(llvm::BinaryOperator& operation, llvm::IRBuilderBase& builder) const;
  llvm::Value* make_comparison(llvm::ICmpInst& comparison, llvm::IRBuilderBase& builder) const;
  llvm::Value* make_cast(llvm::CastInst& cast, llvm::IRBuilderBase& builder) const;
  llvm::Value* make_select(llvm::SelectInst& select, llvm::IRBuilderBase& builder) const;
  llvm::Value* make_shuffle(llvm::ShuffleVectorInst& shuffle, llvm::IRBuilderBase& builder) const;
  llvm::Value* make_of_lanes(llvm::CallInst& call, const SubgroupIntrinsic& intrinsic,
                             llvm::IRBuilderBase& builder) const;
  llvm::Value* make_call(llvm::CallInst& call, llvm::IRBuilderBase& builder) const;

  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> shadows_;
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::PHINode*>, 16> phis_; // with its shadow
};

} // namespace heddle::compiler
