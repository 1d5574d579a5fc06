// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the time of kernels goes (HEDDLE_PROFILE_LINES): each thread that runs work-groups notes
// its instruction once in a millisecond of its processor time, in user mode (perf_event_open(2)).
// Which source line that is of, `heddle profile` finds in the units' line tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heddle::profile::line_samples {

// Units are written into this folder, which is made. If the system does not allow samples, says
// so, with what to do, on standard error. Once, before other threads run.
void start(const std::string& folder);
bool are_taken() noexcept;

// A unit that has been loaded: a function of it, and the file's bytes.
void add_unit(const void* function, std::span<const std::byte> file) noexcept;

// The place of an instruction: the number of its unit, and its offset in it; kElsewhere and 0 if
// it is in no unit.
using Place = std::pair<std::uint32_t, std::uint64_t>;
inline constexpr std::uint32_t kElsewhere = UINT32_MAX;

// The calling thread is about to run groups.
void begin() noexcept;
// The samples since then. Throws std::bad_alloc.
std::vector<Place> end();

// The path of a unit's file.
std::string path_of(std::uint32_t unit);

} // namespace heddle::profile::line_samples
