// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of single lanes.
#pragma once

#include "compiler/vectorize/emit/emitter_base.h"

#include <optional>

namespace heddle::compiler {

class LaneAddressEmitter : EmitterBase {
 public:
  explicit LaneAddressEmitter(EmitState& state) : EmitterBase(state) {}

  // One lane's value of an address.
  llvm::Value* lane_address(const llvm::Value& address, unsigned row, unsigned lane);
  // The same in a loop over the lanes: `lane_value` supplies the lanes of the narrow operands.
  using LaneValue = llvm::function_ref<llvm::Value*(const llvm::Value& operand)>;
  llvm::Value* lane_address(const llvm::Value& address, unsigned row, LaneValue lane_value) {
    return rematerialize(address, row, std::nullopt, lane_value, 0);
  }
  // The operands that differ between lanes and from which such an address is computed: the address
  // itself if its operands are no narrower.
  llvm::SmallVector<const llvm::Value*, 2> narrow_operands(const llvm::Value& address);
  // That of each lane.
  llvm::SmallVector<llvm::Value*, 64> lane_addresses(const llvm::Value& address, unsigned row);

 private:
  bool is_rematerialized(const llvm::Value& value, unsigned depth);
  void find_narrow_operands(const llvm::Value& value, unsigned depth,
                            llvm::SmallVectorImpl<const llvm::Value*>& operands);
  llvm::Value* rematerialize(const llvm::Value& value, unsigned row, std::optional<unsigned> lane,
                             LaneValue lane_value, unsigned depth);
  llvm::Value* extract_enclosing_i64(const llvm::Value& value, unsigned row, unsigned lane);
  llvm::Value* sext_offset_from_i64(const llvm::GetElementPtrInst& address, unsigned row,
                                    unsigned lane);
  llvm::Value* zext_lane_from_i64(const llvm::Value& value, unsigned row, unsigned lane,
                                  llvm::Type* type);
};

} // namespace heddle::compiler
