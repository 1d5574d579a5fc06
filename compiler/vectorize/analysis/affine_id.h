// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Affine functions of work-item ids.
#pragma once

#include "compiler/ir/id_wrap_check.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/IR/Value.h"

#include <optional>

namespace heddle::compiler {

// start + factor * local id in one dimension + constant, modulo 2^64.
struct AffineId {
  IdSum start; // of terms that are uniform in the group
  std::int64_t factor = 0;
  std::int64_t constant = 0;
};

// The affine form of a 64-bit value that is computed by few additions, subtractions,
// multiplications and shifts from the local id in that dimension, constants, and the sizes, ids and
// offsets of the group and its launch. Nothing for any other value.
std::optional<AffineId> affine_id(const llvm::Value& value, const WorkItemParams& params,
                                  unsigned dimension = 0);

// Whether a value is the local or the global id in x, the latter with or without its offset: then
// the unsigned value of no lane, active or not, is less than that of lane 0 (OpenCL API 5.10:
// global ids with an offset do not wrap around).
bool is_plain_id(const llvm::Value& value, const WorkItemParams& params);

} // namespace heddle::compiler
