// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private arrays of which all uses are known.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <vector>

namespace heddle::compiler {

// A variable and all uses of its address: loads, stores and copies of whole elements, and loads and
// stores of aligned parts of elements, or of several.
struct PrivateArray {
  llvm::AllocaInst* variable = nullptr;
  std::uint64_t element = 0;    // bytes
  bool has_other_sizes = false; // it has accesses of parts of elements, or of longer numbers
  llvm::SmallVector<llvm::GetElementPtrInst*, 16> addresses;
  llvm::SmallVector<llvm::Instruction*, 16> accesses; // loads and stores
  llvm::SmallVector<llvm::MemIntrinsic*, 4> copies;
  llvm::SmallVector<llvm::Instruction*, 4> markers; // lifetime intrinsics
};

// In the kernel's first block. Copies between two of them are of the same elements.
std::vector<PrivateArray> find_private_arrays(llvm::Function& kernel);

// Whether index * factor is a multiple of `unit`. Loop strength reduction, as in Clang's SPIR-V
// backend, lets an index count bytes: its factor is 1, but its lower bits are known to be 0.
bool is_multiple(const llvm::Value& index, const llvm::APInt& factor, std::uint64_t unit,
                 const llvm::DataLayout& layout);
// Whether an address in such an array is a number of `unit` bytes from its start.
bool is_multiple_of(const llvm::Value& address, std::uint64_t unit, const llvm::DataLayout& layout);

// Bytes that each lane has of a variable: its size, rounded up to its alignment.
std::int64_t bytes_per_lane(const llvm::AllocaInst& variable);

} // namespace heddle::compiler
