// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second symbol of libheddle-compiler.so and libheddle-backend.so: the source lines of a unit's
// instructions, for `heddle profile`.
#pragma once

#include "compiler/interface/compiler_api.h"

#include <cstddef>
#include <cstdint>

extern "C" {

// `unit`: an ELF shared object. `offsets`: of instructions, from where it is loaded. Calls `found`
// for each whose line is known, with its index in `offsets`: of what was inlined, the line there.
// Returns 0 if the unit cannot be read. Thread-safe.
int heddle_find_lines(const heddle_blob* unit, const uint64_t* offsets, size_t count,
                      void (*found)(void* context, size_t index, const char* file, uint32_t line),
                      void* context);

} // extern "C"
