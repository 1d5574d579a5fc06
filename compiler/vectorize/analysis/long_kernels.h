// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose vector code is too long, by name, and the instructions of one variant. They are
// found when it is emitted; the build then starts again and leaves them scalar.
#pragma once

#include "llvm/ADT/StringMap.h"

namespace heddle::compiler {

using LongKernels = llvm::StringMap<unsigned>;

} // namespace heddle::compiler
