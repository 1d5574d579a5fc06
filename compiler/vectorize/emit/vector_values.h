// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has been emitted for each value of the kernel.
#pragma once

#include "compiler/vectorize/analysis/vector_value.h"
#include "compiler/vectorize/emit/emit_context.h"

namespace heddle::compiler {

class VectorValues {
 public:
  explicit VectorValues(EmitContext& context);

  // Null: a constant, or a value that has not been emitted.
  VectorValue* find(const llvm::Value& value);
  // The value, without parts, with the kind that its shape implies: `parts` are for the caller to
  // set. Sub-groups interleaved as rows get parts of their own if the value or an operand differs
  // by row.
  VectorValue& define(const llvm::Value& value, VectorValue::Kind kind);
  VectorValue& operator[](const llvm::Value& value) { return values_[&value]; }

  // Operands, by row (`plan.rows`). A uniform value, or lane 0 of an affine one.
  llvm::Value* scalar(const llvm::Value& value, unsigned row);
  // The vector of all lanes of a value, or of a component of it (vector_value.h).
  llvm::Value* lanes(const llvm::Value& value, unsigned row, unsigned component = 0);
  // The number of rows that have values of their own.
  unsigned row_count(const llvm::Value& value) const;

  llvm::VectorType* widened(llvm::Type* type) const;
  llvm::Value* splat(llvm::Value* value);
  // Lane i holds first + i * stride (bytes for pointers).
  llvm::Value* strided_lanes(llvm::Value* first, Stride stride);
  // A component of a scalar OpenCL vector, structure or array.
  llvm::Value* extract_component(llvm::Value* value, unsigned component);

 private:
  llvm::IRBuilder<>& builder_;
  const VectorPlan& plan_;
  const LaneShapes& shapes_;
  llvm::DenseMap<const llvm::Value*, VectorValue> values_;
  // Vectors made from uniform and affine values in the current block, by value, row and component.
  llvm::DenseMap<std::tuple<const llvm::Value*, unsigned, unsigned>, llvm::Value*> broadcasts_;
  llvm::BasicBlock* broadcast_block_ = nullptr;
};

} // namespace heddle::compiler
