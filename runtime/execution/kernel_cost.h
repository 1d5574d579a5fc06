// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The recent time per work-item of each kernel, which decides how a launch is split.
#pragma once

#include "compiler/interface/kernel_abi.h"

#include <cstdint>

namespace heddle::kernel_cost {

// In nanoseconds; a default for kernels that have not run yet.
double per_item(abi::KernelFunction function) noexcept;
bool is_known(abi::KernelFunction function) noexcept;
void learn(abi::KernelFunction function, std::uint64_t nanoseconds, std::uint64_t items) noexcept;

} // namespace heddle::kernel_cost
