// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses as constant distances from what they have in common.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"

#include <cstdint>

namespace heddle::compiler {

// A number times a factor, which is extended if it is shorter than an address.
struct AddressTerm {
  const llvm::Value* number = nullptr;
  std::uint64_t factor = 0;
  bool is_zero_extended = false;
  bool operator==(const AddressTerm&) const = default;
};

// What addresses with a constant distance have in common: a pointer, and a sum of terms in the
// order of their numbers' addresses.
struct AddressBase {
  const llvm::Value* pointer = nullptr;
  llvm::SmallVector<AddressTerm, 4> terms;
  bool operator==(const AddressBase&) const = default;
};

struct Address {
  AddressBase base;
  std::uint64_t offset = 0; // bytes from the base, modulo 2^64
};

// Sums that may not overflow, as of the program's signed numbers, are taken not to.
Address address_of(const llvm::Value& pointer, const llvm::DataLayout& layout);

} // namespace heddle::compiler
