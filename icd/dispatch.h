// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dispatch table that every handle points to, and the lookup of entry points by name.
#pragma once

#include "icd/entry_points.h"

namespace heddle::icd {

// The entry point of this name, also if it is not in the table; null if there is none.
void* find_entry_point(const char* name);

} // namespace heddle::icd
