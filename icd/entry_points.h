// Declarations of all entry points that Heddle defines: those of the OpenCL headers and compat.h.
//
// Which of them the dispatch table has is listed in dispatch_core.inc and dispatch_program.inc
// (HEDDLE_ENTRY(name)) and, for what Heddle does not have, dispatch_absent.inc; those of extensions
// that are found by name only in dispatch_extensions.inc.
#pragma once

#include "icd/compat.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
