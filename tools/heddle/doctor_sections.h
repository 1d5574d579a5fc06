// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of `heddle doctor`: each adds one section of facts, with what to do where something is
// not as it should be. What they report is read with the driver's own code.
#pragma once

#include "tools/heddle/doctor_loader.h"
#include "tools/heddle/doctor_report.h"

namespace heddle::doctor {

// This command, the driver and the compiler that belong to it, and whether a kernel builds and
// runs.
void report_driver(Report& report);
// The loader, the .icd files that it reads, and what becomes of their libraries.
void report_loader(Report& report, const LoaderAnswer& loader);
// The platforms in the loader's order, and which of them a program takes that takes the first.
void report_platforms(Report& report, const LoaderAnswer& loader);
void report_processor(Report& report);
void report_threads(Report& report);
void report_cache(Report& report);
void report_memory(Report& report);
// The variables HEDDLE_* that are set, and those among them that Heddle does not know.
void report_options(Report& report);

} // namespace heddle::doctor
