// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of single lanes.
#pragma once

#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

class LaneAddressEmitter : EmitterBase {
 public:
  explicit LaneAddressEmitter(EmitState& state) : EmitterBase(state) {}

  // One lane's value of an address.
  llvm::Value* lane_address(const llvm::Value& address, unsigned row, unsigned lane) {
    return rematerialize(address, row, lane, 0);
  }
  // That of each lane.
  llvm::SmallVector<llvm::Value*, 64> lane_addresses(const llvm::Value& address, unsigned row);

 private:
  llvm::Value* rematerialize(const llvm::Value& value, unsigned row, unsigned lane, unsigned depth);
  llvm::Value* extract_enclosing_i64(const llvm::Value& value, unsigned row, unsigned lane);
  llvm::Value* sext_offset_from_i64(const llvm::GetElementPtrInst& address, unsigned row,
                                    unsigned lane);
  llvm::Value* zext_lane_from_i64(const llvm::Value& value, unsigned row, unsigned lane,
                                  llvm::Type* type);
};

} // namespace heddle::compiler
