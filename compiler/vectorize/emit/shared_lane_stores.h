// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One store per lane, in a function that all such stores of a unit call: their code in place is as
// many instructions for each as there are lanes, several times.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"
#include "compiler/vectorize/analysis/plan.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// Whether the kernel has so many stores of up to 8 bytes at unrelated addresses that their code in
// place would make it too long (find_excess).
bool has_many_lane_stores(const llvm::Function& kernel, const LaneShapes& shapes,
                          const VectorPlan& plan);

// Stores each element of `values`, integers, to its lane's address.
void call_lane_stores(llvm::IRBuilderBase& builder, llvm::Value& values, llvm::Value& addresses,
                      llvm::Align align);

// What the stores that the function calls would be in place.
std::uint64_t instructions_of_lane_stores(const llvm::Function& function);

} // namespace heddle::compiler
