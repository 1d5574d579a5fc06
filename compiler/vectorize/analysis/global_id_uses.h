// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a kernel uses anything of a dimension but the global id.
#pragma once

#include "compiler/ir/work_item_params.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>

namespace heddle::compiler {

// Of one dimension of a kernel, whose local size there may be known.
class GlobalIdUses {
 public:
  // known_size: of the groups in that dimension, in work-items; 0: not known.
  GlobalIdUses(const WorkItemParams& params, std::uint64_t known_size, unsigned dimension);

  // Whether the local id is used for global ids only.
  bool has_global_ids_only() const;
  // Whether the kernel loads nothing from the group by which groups with the same ids in the other
  // dimensions differ, other than operands of global ids.
  bool hides_group() const;

  // Whether a sum is the global id, with or without its offset.
  bool is_global_id(const llvm::BinaryOperator& sum) const;
  // Whether a user of the group id, and all that is computed from it, is an operand of global ids.
  bool is_operand_of_global_ids(const llvm::User& user) const;
  // Whether a load is of this dimension's group id, or of the local size.
  bool is_group_id(const llvm::LoadInst& load) const;
  bool is_local_size(const llvm::LoadInst& load) const;

 private:
  bool is_allowed(const llvm::LoadInst& load, std::uint64_t offset) const;
  bool loads(const llvm::LoadInst& load, std::uint64_t offset) const;

  const WorkItemParams params_;
  const std::uint64_t known_size_;
  const unsigned dimension_;
  const std::uint64_t offset_; // bytes, of what is of the dimension
};

} // namespace heddle::compiler
