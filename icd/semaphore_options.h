// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties of clCreateSemaphoreWithPropertiesKHR.
#pragma once

#include "icd/compat.h"
#include "runtime/core/result.h"
#include "runtime/semaphore/semaphore.h"

namespace heddle::icd {

// CL_INVALID_VALUE without a list or a type; CL_INVALID_PROPERTY for names and values that are not
// known or stand there twice, and without a device in a context of several; CL_INVALID_DEVICE
// unless the list of devices is one device of the context; CL_INVALID_OPERATION for a semaphore
// that is both imported and to be exported. Does not look at the descriptor.
Result<Semaphore::Options> read_semaphore_options(const Context& context,
                                                  const cl_semaphore_properties_khr* list);

} // namespace heddle::icd
