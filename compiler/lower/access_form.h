// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that are sums of multiples of global ids.
#pragma once

#include "compiler/ir/kernel.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <optional>

namespace heddle::compiler {

// A number that is the same for all work-items of a launch: `factor` times, if there is one, an
// argument of the kernel, or a word of abi::Launch.
struct LaunchNumber {
  std::uint64_t factor = 0;
  const llvm::Argument* argument = nullptr;
  std::optional<std::uint64_t> launch_offset;
  bool operator==(const LaunchNumber&) const = default;
};

// base + constant + the sum over dimensions of stride * global id, in bytes; nothing is negative.
// The id is with or without its offset. It holds if the sum for the largest ids is below 2^31:
// narrower arithmetic is taken to be exact.
struct AccessForm {
  std::uint64_t constant = 0;
  LaunchNumber strides[3];
};

std::optional<AccessForm> access_form(const llvm::Value& pointer, const llvm::Value& base,
                                      const Kernel& kernel);

// In a function with the parameters of the body: whether work-items whose accesses lie in the
// `window` bytes from such addresses access different bytes, and the form holds. `group` is the
// function's.
llvm::Value* emit_is_injective(llvm::IRBuilder<>& builder, const AccessForm& form,
                               std::uint64_t window, llvm::Value* group);

} // namespace heddle::compiler
