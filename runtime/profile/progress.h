// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_PROGRESS: a line on standard error while a program runs, with the kernels that are done,
// the one that runs, and how many of its groups are done. Thread-safe; nothing throws.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::progress {

// Does not change after start().
extern bool is_shown;
inline bool is_on() noexcept { return is_shown; }

// Reads HEDDLE_PROGRESS. When the library is loaded.
void start() noexcept;

// A kernel that runs.
class Running;
// Null if too many run already, of which the line says nothing then.
Running* begin(std::string_view kernel, std::uint64_t groups) noexcept;
void add_groups(Running& running, std::uint64_t groups) noexcept;
// Null: of a kernel of which the line says nothing.
void end(Running* running) noexcept;

} // namespace heddle::progress
