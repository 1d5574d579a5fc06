// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/id_based_access.h"

namespace heddle::compiler {

static constexpr llvm::StringLiteral kIdBasedAccess = "heddle.orderly";

void mark_id_based_access(llvm::Instruction& access) {
  access.setMetadata(kIdBasedAccess, llvm::MDNode::get(access.getContext(), {}));
}

void unmark_id_based_access(llvm::Instruction& access) {
  access.setMetadata(kIdBasedAccess, nullptr);
}

bool is_id_based_access(const llvm::Instruction& access) {
  return access.hasMetadata(kIdBasedAccess);
}

} // namespace heddle::compiler
