// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much a launch has to do.
#pragma once

#include "compiler/interface/work_estimate.h"
#include "runtime/execution/kernel_launch.h"
#include "runtime/program/argument_values.h"

#include <optional>

namespace heddle {

// Of plain code, on one thread.
constexpr double kPlainInstructionsPerNanosecond = 1.6;

// Instructions of all work-items together, if each executes few.
double least_work(const NDRange& range);
// The same by the estimate for a work-item with these arguments. Nothing if it is unknown, or,
// unless `may_guess` is set, if it depends on trip counts that are guessed.
std::optional<double> estimate_work(const WorkEstimate& each, const NDRange& range,
                                    const ArgumentValues& arguments, bool may_guess);

// An amount of all work-items together, as the mean of the first and the last one tells.
std::optional<double> estimate_amount(const WorkEstimate& each, WorkEstimate::Amount amount,
                                      const NDRange& range, const ArgumentValues& arguments,
                                      bool may_guess);

} // namespace heddle
