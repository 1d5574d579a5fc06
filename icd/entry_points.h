// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations of all entry points that Heddle defines: the OpenCL headers and compat.h.
//
// The entries of the dispatch table are listed in dispatch_core.inc and dispatch_program.inc
// (HEDDLE_ENTRY(name)), the absent ones in dispatch_absent.inc; dispatch_extensions.inc has the
// entry points of extensions, which are found by name only.
#pragma once

#include "icd/compat.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
