// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses whether sub-groups are wider than registers.
#pragma once

#include "compiler/ir/kernel.h"
#include "compiler/target/target_info.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/plan/choose_width.h"
#include "compiler/vectorize/plan/lane_walks.h"

namespace heddle::compiler {

// For WidthChoice::reason.
inline constexpr const char* kHasRegisters =
    "; twice as many, since the registers hold two for each value";
inline constexpr const char* kWaitsForResults = "; more, since they wait for their results";

// With two registers for each value the CPU has independent work to hide latency, and uniform work
// is shared by more work-items. True if the registers hold all live values twice, or most of the
// work is shared, or the code waits for longer than spills take, and groups are
// probably not narrower than the sub-group, or are coalesced (coalesce_work_groups.h) and have
// loops that wait for their own results. `analyses` are those of the canonical kernel at `width`.
bool should_double_width(const Kernel& kernel, const Analyses& analyses, const TargetInfo& target,
                         unsigned width);

// Whether twice the lanes of a sub-group that was doubled would still wait for their own results
// most of the time. Rows side by side are such lanes, too, so that kernels of several dimensions
// do with these. `analyses` are those at `width`.
bool should_widen_further(const Kernel& kernel, const Analyses& analyses, const TargetInfo& target,
                          unsigned width);

// The lanes, at least `width`, of a kernel whose barriers switch between the stacks of its
// sub-groups: the fewer these are, the fewer switches. `analyses` are those at any width.
unsigned lanes_for_fibers(const Kernel& kernel, const Analyses& analyses, const TargetInfo& target,
                          unsigned width);

// The lanes, at least `width`, of a kernel of straight code and short loops that accesses many
// streams of memory (memory_streams.h). `analyses` are those at any width, `width` is that of one
// register.
unsigned lanes_for_streams(const Kernel& kernel, const Analyses& analyses, const TargetInfo& target,
                           unsigned width);

// The lanes, at least `width`, of a kernel of a few instructions without loops that accesses
// streams of memory: more, so that the loop over sub-groups is a small part of what it executes,
// where that takes time (TargetInfo::loop_instructions). `analyses` are those at any width, `width`
// is that of one register.
unsigned lanes_for_short_code(const Kernel& kernel, const Analyses& analyses,
                              const TargetInfo& target, unsigned width);

// The lanes, at least `width`, of a kernel whose lanes walk down neighboring columns: as many as
// access four cache lines at once, if the registers hold what the loops use.
unsigned lanes_for_columns(const Kernel& kernel, const Analyses& analyses, const TargetInfo& target,
                           const LaneWalks& walks, unsigned width);

} // namespace heddle::compiler
