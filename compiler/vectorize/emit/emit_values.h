// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions that compute values without accessing memory.
#pragma once

#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

class ValueEmitter : EmitterBase {
 public:
  explicit ValueEmitter(EmitState& state) : EmitterBase(state) {}

  void emit(const llvm::Instruction& instruction);
  // An instruction with the same result in all lanes: a scalar one, for each row that differs.
  void emit_uniform(const llvm::Instruction& instruction);

 private:
  // emit_affine.cpp
  void emit_affine(const llvm::Instruction& instruction);
  std::optional<std::int64_t> row_stride(const llvm::Value& value);
  llvm::Value* add_row_offset(llvm::Value* first, std::int64_t distance);
  llvm::Value* extend_lane_0(const llvm::Value& value, bool is_signed, llvm::Type* type,
                             unsigned row, unsigned depth = 0);
  // emit_values.cpp
  void emit_elementwise(const llvm::Instruction& instruction);
  llvm::Value* widen_elementwise(const llvm::Instruction& instruction, unsigned row,
                                 unsigned component);
  llvm::Value* compare_by_lane_count(const llvm::Instruction& instruction, unsigned row);
  void emit_division(const llvm::BinaryOperator& division);
  llvm::Value* divide(const llvm::BinaryOperator& division, llvm::Value* dividend,
                      llvm::Value* divisor);
  llvm::Value* divide_as_real(const llvm::BinaryOperator& division, llvm::Value* dividend,
                              llvm::Value* divisor);
  void emit_gep(const llvm::GetElementPtrInst& address);
  // emit_components.cpp
  void emit_bitcast(const llvm::BitCastInst& cast);
  void emit_component_access(const llvm::Instruction& instruction);
  llvm::Value* access_component(const llvm::Instruction& instruction, unsigned row,
                                unsigned component);
  llvm::Value* select_by_bits(llvm::SmallVectorImpl<llvm::Value*>& components,
                              llvm::Value* position);
  llvm::Value* extract_element(const llvm::ExtractElementInst& extract, unsigned row);
  llvm::Value* insert_element(const llvm::InsertElementInst& insert, unsigned row,
                              unsigned component);
  llvm::Value* shuffle_component(const llvm::ShuffleVectorInst& shuffle, unsigned row,
                                 unsigned component);

  llvm::DenseMap<const llvm::Instruction*, std::optional<std::int64_t>> row_strides_;
};

} // namespace heddle::compiler
