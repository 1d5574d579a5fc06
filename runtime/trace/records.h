// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of a trace, from the threads that add them to the file.
#pragma once

#include "runtime/trace/trace.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::trace {

struct Record {
  std::uint64_t begin, end;
  std::array<std::uint64_t, kMaxValues> values;
  std::int32_t result;
  Kind kind;
  std::uint8_t count; // of values
  char name[42];      // ends with a zero
};
static_assert(sizeof(Record) == 128);

struct ThreadRecord {
  std::uint32_t thread; // the system's number
  Record record;
};

// Whether HEDDLE_TRACE_FILTER chooses this kernel.
bool is_chosen(std::string_view kernel) noexcept;

// What a command without a name of its own is called, by its cl_command_type.
const char* command_name(std::uint64_t type) noexcept;

// Writes the records as JSON, in the format of Chrome's trace viewer. False, with errno, if the
// file cannot be written.
bool write_trace(const std::string& path, const std::vector<ThreadRecord>& records);

} // namespace heddle::trace
