// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of SVM that programs can choose from (cl_khr_unified_svm).
#pragma once

#include "icd/compat.h"

#include <span>

namespace heddle::icd {

// The capabilities of each type, the same for the platform and all devices. clSVMAlloc's is the
// first.
std::span<const cl_svm_capabilities_khr> svm_types();

} // namespace heddle::icd
