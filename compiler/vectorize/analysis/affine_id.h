// Ids and what kernels make of them by sums and products.
#pragma once

#include "compiler/ir/id_wrap_check.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/IR/Value.h"

#include <optional>

namespace heddle::compiler {

// start + factor * local id in one dimension + constant, modulo 2^64.
struct AffineId {
  IdSum start; // only words that the group's work-items share
  std::int64_t factor = 0;
  std::int64_t constant = 0;
};

// Of a 64-bit value that is made, in a few steps, from the local id in that dimension, constants,
// and sizes, numbers and offsets of the group and its launch.
std::optional<AffineId> affine_id(const llvm::Value& value, const WorkItemParams& state,
                                  unsigned dimension = 0);

// Whether a value is the local or the global id in x as it is, or the latter without its offset:
// then no lane's is below lane 0's, active or not, as unsigned numbers (OpenCL API 5.10: an offset
// does not let them wrap around).
bool is_plain_id(const llvm::Value& value, const WorkItemParams& state);

} // namespace heddle::compiler
