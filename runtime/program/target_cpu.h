// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What units are compiled for: HEDDLE_CPU, and what was measured of this CPU's instructions.
//
// `heddle calibrate` measures which instructions take another time than the compiler expects of a
// CPU of that name, and keeps that in the cache folder; processes that begin later read it.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// HEDDLE_CPU, or "native" with the costs that were measured (compiler/interface/cpu_costs.h):
// "native,slow-gathers". The same as long as the process runs.
const std::string& target_cpu();

namespace measured_costs {

// Whether they are to be measured: HEDDLE_CPU is "native", and the cache has been used for ten
// minutes or more and has no costs of this CPU, or only some from more than 30 days ago.
bool are_due();
// Those of this CPU that the cache has, behind commas; empty if there are none, or none that differ
// from what the compiler expects.
std::string find();
// For processes that begin later; "" if none differ. False: they cannot be kept.
bool keep(std::string_view costs);

} // namespace measured_costs
} // namespace heddle
