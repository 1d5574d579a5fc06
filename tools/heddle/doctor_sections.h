// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of `heddle doctor`: each adds one section of facts, with what to do where something is
// not as it should be. What they report is read with the driver's own code.
#pragma once

#include "tools/heddle/doctor_loader.h"
#include "tools/heddle/doctor_report.h"

#include <string>
#include <vector>

namespace heddle::doctor {

// This command, the driver and the compiler that belong to it, and whether a kernel builds and
// runs.
void report_driver(Report& report);
// The loader, the .icd files that it reads, and what becomes of their libraries.
void report_loader(Report& report, const LoaderAnswer& loader);
// The platforms in the loader's order, and which of them a program takes that takes the first.
void report_platforms(Report& report, const LoaderAnswer& loader);
// What has loaders, drivers or libraries of its own: conda, containers, Windows' subsystem.
void report_surroundings(Report& report);
// What to do if a library cannot be opened because the system's are older; empty: another reason.
std::string how_to_get_newer_libraries(const std::string& failure);
void report_processor(Report& report);
void report_threads(Report& report);
void report_cache(Report& report);
void report_memory(Report& report);
// The complaints about options' values, which the driver prints when it reads them: one a line.
// They are read once in a process, so nothing must have read them before.
std::vector<std::string> what_reading_options_says();
// The variables HEDDLE_* that are set, those among them that Heddle does not know, and those whose
// values are not understood.
void report_options(Report& report, const std::vector<std::string>& said);

} // namespace heddle::doctor
