// The dispatch table that every handle points to, and entry points by name.
#pragma once

#include "icd/entry_points.h"

namespace heddle::icd {

// The entry point of this name, also those that are in no table; null if there is none.
void* find_entry_point(const char* name);

} // namespace heddle::icd
